import type { ReactNode } from 'react';

interface FactProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** One of several facts in a list of them. */
export function Fact({ title, children }: FactProps) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface FigureProps extends Partial<FactProps> {
  readonly title: string;
  readonly value: ReactNode;
}

/** A number that stands out, and what belongs to it. */
export function Figure({ title, value, children }: FigureProps) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        <span className="value">{value}</span>
        {children}
      </dd>
    </div>
  );
}
