/** Extra processor time, memory and disk of a long run compared with a short one. */
export async function growth({ assay, size }) {
  const [few, many] = size.growth;
  const small = await assay(few);
  const large = await assay(many);
  const again = await assay(few);
  const cpu = (run, cases) => (run.cpuMs / cases) * 1000;
  const lesserMb = Math.min(small.peakMb, again.peakMb);
  const shownMany = many.toLocaleString('en');
  return {
    lines: [
      {
        name: `processor time per case in a run of ${shownMany}; floor: in a run of ${few.toLocaleString('en')}`,
        value: cpu(large, many),
        floor: (cpu(small, few) + cpu(again, few)) / 2,
        unit: 'us',
        budget: 1.1,
      },
      {
        name: `additional memory per 1,000 cases, up to ${shownMany} cases`,
        value: ((large.peakMb - lesserMb) / (many - few)) * 1000,
        most: 5,
        unit: 'MB',
      },
      { name: `peak memory with ${shownMany} cases`, value: large.peakMb, most: 300, unit: 'MB' },
      { name: 'disk space per case', value: large.bytes / many / 1024, most: 4.5, unit: 'KB' },
      {
        name: `additional files with ${shownMany} cases, compared with ${few.toLocaleString('en')}`,
        value: large.files - small.files,
        most: 0,
        unit: '',
      },
    ],
  };
}
