import { Check, LinesInput, TextInput } from '../../parts/inputs.tsx';
import { JudgeFields } from '../../parts/judge-fields.tsx';
import { safeText } from '../../parts/safe-text.ts';
import { useSettings } from '../../session/use-session.ts';
import { AgentFields } from './agent-fields.tsx';
import type { Asked } from './plan.ts';

interface AskedFieldsProps {
  readonly asked: Asked;
  readonly onChange: (next: Partial<Asked>) => void;
}

/** What can be said of a run here; everything else is as in the config of the server. */
export function AskedFields({ asked, onChange }: AskedFieldsProps) {
  const settings = useSettings().data;
  const targets = settings?.targets ?? [];
  return (
    <>
      <Targets known={targets} asked={asked} onChange={onChange} />
      {settings === undefined ? null : (
        <AgentFields
          agents={asked.agents}
          hasTargets={targets.length > 0}
          onChange={(agents) => onChange({ agents })}
        />
      )}
      <div className="row">
        <TextInput
          label="Repetitions"
          size={4}
          value={asked.repetitions}
          onChange={(repetitions) => onChange({ repetitions })}
        />
        <TextInput
          label="Trials at once"
          size={4}
          value={asked.concurrency}
          onChange={(concurrency) => onChange({ concurrency })}
        />
        <TextInput label="Seed" size={8} value={asked.seed} onChange={(seed) => onChange({ seed })} />
        <TextInput
          label="Cost limit in USD"
          size={8}
          value={asked.budget}
          onChange={(budget) => onChange({ budget })}
        />
        <Check isOn={asked.unknownCost} onChange={(unknownCost) => onChange({ unknownCost })}>
          Start even if costs are unknown
        </Check>
      </div>
      <TextInput
        label="Model of the simulated user"
        size={20}
        value={asked.userModel}
        onChange={(userModel) => onChange({ userModel })}
      />
      <JudgeFields judge={asked.judge} onChange={(judge) => onChange({ judge })} />
      <div className="row">
        <TextInput label="Name" value={asked.name} onChange={(name) => onChange({ name })} />
        <TextInput label="Line" value={asked.line} onChange={(line) => onChange({ line })} />
        <Check isOn={asked.baseline} onChange={(baseline) => onChange({ baseline })}>
          Compare with the baseline
        </Check>
      </div>
      <LinesInput label="Tags, one a line" value={asked.tags} onChange={(tags) => onChange({ tags })} />
      <LinesInput label="Note" value={asked.note} onChange={(note) => onChange({ note })} />
    </>
  );
}

interface TargetsProps extends AskedFieldsProps {
  /** Names of the targets of the config. */
  readonly known: readonly string[];
}

function Targets({ known, asked, onChange }: TargetsProps) {
  if (known.length === 0) return null;
  const others = (name: string) => asked.targets.filter((each) => each !== name);
  return (
    <fieldset className="field targets">
      <legend>Targets</legend>
      <div className="row">
        {known.map((name) => (
          <Check
            key={name}
            isOn={asked.targets.includes(name)}
            onChange={(isOn) => onChange({ targets: isOn ? [...others(name), name] : others(name) })}
          >
            {safeText(name)}
          </Check>
        ))}
      </div>
      <p className="quiet">
        If you select neither targets nor agents, the run tests the default target of the config.
      </p>
    </fieldset>
  );
}
