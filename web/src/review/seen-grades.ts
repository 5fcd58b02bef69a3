const keyOf = (of: string) => `assay seen ${of}`;

/** Whether this tab showed the grades of a trial before its verdict; a reload does not forget it. */
export function hasSeenGrades(of: string): boolean {
  return sessionStorage.getItem(keyOf(of)) !== null;
}

export function noteSeenGrades(of: string): void {
  try {
    sessionStorage.setItem(keyOf(of), 'yes');
  } catch {
    // The page still knows it.
  }
}
