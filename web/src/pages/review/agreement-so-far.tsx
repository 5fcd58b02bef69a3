import type { Grade } from '../../../../src/core/grade.ts';
import { plural } from '../../../../src/lib/text/plural.ts';
import { safeText } from '../../parts/safe-text.ts';
import { useAgreement, type Agreement } from '../../review/queries.ts';
import { measuredText } from '../agreement/measured-text.ts';

interface AgreementSoFarProps {
  readonly run: string;
  readonly of: Pick<Grade, 'name' | 'type'>;
}

/** How far the grader of a shown grade agrees with all reviews of the run up to now. */
export function AgreementSoFar({ run, of }: AgreementSoFarProps) {
  const { data } = useAgreement(run, undefined);
  const found = data?.graders.filter(
    ({ calibration: { expectation, type } }) => expectation === of.name && type === of.type,
  );
  return found?.map(({ calibration }) => (
    <p key={calibration.judge ?? ''} className="quiet">
      {safeText(soFarText(calibration))}
    </p>
  ));
}

/** `This grader agrees with people on 3 of the 4 held-out trials, kappa 0.50 [-0.41, 1.00]. …`. */
function soFarText(calibration: Agreement['graders'][number]['calibration']): string {
  const { judge, pairs, falsePasses, falseFails, kappa, labels, cases = 0 } = calibration;
  const who = judge === undefined ? 'This grader' : judge;
  const agreed = pairs - falsePasses - falseFails;
  const beyondChance = kappa === null ? '' : `, kappa ${measuredText(kappa, 1)}`;
  return `${who} agrees with people on ${agreed} of the ${plural(pairs, 'held-out trial')}${beyondChance}. Reviewed so far: ${plural(labels, 'trial')} of ${plural(cases, 'case')}.`;
}
