import { useState } from 'react';

import { Check, LinesInput, TextInput } from '../../parts/inputs.tsx';
import { JudgeFields } from '../../parts/judge-fields.tsx';
import { ModelFields, UserModel } from './model-fields.tsx';
import type { ModelProblems } from './model-problems.ts';
import { isMoreAsked, type Asked } from './plan.ts';
import { TargetFields } from './target-fields.tsx';
import type { KnownTargets } from './use-known-targets.ts';

interface AskedFieldsProps extends CalledProps {
  readonly known: KnownTargets;
  /** Undefined: nothing is wrong with the models. */
  readonly problems: ModelProblems | undefined;
  /** Id of the run whose models are filled in. */
  readonly modelsOf: string | undefined;
}

interface CalledProps {
  readonly asked: Asked;
  readonly onChange: (next: Partial<Asked>) => void;
}

/** What can be said of a run here; everything else is as in the config of the server. */
export function AskedFields({ known, asked, problems, modelsOf, onChange }: AskedFieldsProps) {
  return (
    <>
      <TargetFields known={known} targets={asked.targets} agents={asked.agents} onChange={onChange} />
      <ModelFields
        known={known.models}
        modelsOf={modelsOf}
        asked={asked}
        problems={problems}
        onChange={onChange}
      />
      <div className="row top">
        <TextInput
          label="Repetitions"
          size={4}
          value={asked.repetitions}
          ifEmpty={String(known.repetitions)}
          help="How often each case runs."
          onChange={(repetitions) => onChange({ repetitions })}
        />
      </div>
      <More known={known} asked={asked} problems={problems} onChange={onChange} />
    </>
  );
}

/** What a first run does not need; open where something is in it, or wrong in it. */
function More({ known: { models }, asked, problems, onChange }: Omit<AskedFieldsProps, 'modelsOf'>) {
  const [isOpened, setOpen] = useState(() => isMoreAsked(asked, models));
  const { hasUser, hasJudge } = models;
  const isWrong = (hasUser && problems?.user !== undefined) || (hasJudge && problems?.judge !== undefined);
  return (
    <details open={isOpened || isWrong} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>More: name, costs, judge, tags</summary>
      <div className="stack">
        <Called asked={asked} onChange={onChange} />
        <div className="row top">
          <TextInput
            label="Trials at once"
            size={4}
            value={asked.concurrency}
            help="How many trials run at the same time. Empty: as in the config."
            onChange={(concurrency) => onChange({ concurrency })}
          />
          <TextInput
            label="Seed"
            size={8}
            value={asked.seed}
            help="A number. Runs with the same seed draw the same random choices. Empty: a new one."
            onChange={(seed) => onChange({ seed })}
          />
          <TextInput
            label="Cost limit in USD"
            size={8}
            value={asked.budget}
            help="The run stops before it costs more. Empty: no limit."
            onChange={(budget) => onChange({ budget })}
          />
        </div>
        <Check isOn={asked.unknownCost} onChange={(unknownCost) => onChange({ unknownCost })}>
          Start even if costs are unknown
        </Check>
        {hasUser ? <UserModel asked={asked} problems={problems} onChange={onChange} /> : null}
        <JudgeFields
          judge={asked.judge}
          wrong={problems?.judge}
          isModelApart={!hasJudge}
          onChange={(judge) => onChange({ judge })}
        />
        <Check isOn={asked.baseline} onChange={(baseline) => onChange({ baseline })}>
          Compare with the baseline
        </Check>
        <LinesInput label="Tags, one a line" value={asked.tags} onChange={(tags) => onChange({ tags })} />
        <LinesInput label="Note" value={asked.note} onChange={(note) => onChange({ note })} />
      </div>
    </details>
  );
}

/** What people call the run, and the runs that it belongs to. */
function Called({ asked, onChange }: CalledProps) {
  return (
    <div className="row top">
      <TextInput
        label="Name"
        value={asked.name}
        help="A title for people. Empty: made of its cases."
        onChange={(name) => onChange({ name })}
      />
      <TextInput
        label="Line"
        value={asked.line}
        help="Runs with the same line are compared with each other. Empty: all runs of the same cases."
        onChange={(line) => onChange({ line })}
      />
    </div>
  );
}
