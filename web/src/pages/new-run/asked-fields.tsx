import { safeText } from '../../parts/safe-text.ts';
import { useSettings } from '../../session/use-session.ts';
import type { Asked } from './plan.ts';

interface AskedFieldsProps {
  readonly asked: Asked;
  readonly onChange: (next: Partial<Asked>) => void;
}

/** What can be said of a run here; everything else is as in the config of the server. */
export function AskedFields({ asked, onChange }: AskedFieldsProps) {
  const targets = useSettings().data?.targets ?? [];
  const toggle = (name: string) =>
    onChange({
      targets: asked.targets.includes(name)
        ? asked.targets.filter((each) => each !== name)
        : [...asked.targets, name],
    });
  return (
    <>
      {targets.length === 0 ? null : (
        <fieldset className="field targets">
          <legend>Targets</legend>
          <div className="row">
            {targets.map((name) => (
              <label key={name}>
                <input type="checkbox" checked={asked.targets.includes(name)} onChange={() => toggle(name)} />{' '}
                {safeText(name)}
              </label>
            ))}
          </div>
          <p className="quiet">None: the default target of the config.</p>
        </fieldset>
      )}
      <div className="row">
        <Text label="Name" value={asked.name} onChange={(name) => onChange({ name })} />
        <Text
          label="Repetitions"
          value={asked.repetitions}
          onChange={(repetitions) => onChange({ repetitions })}
        />
        <Text label="Cost limit in USD" value={asked.budget} onChange={(budget) => onChange({ budget })} />
      </div>
    </>
  );
}

interface TextProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

function Text({ label, value, onChange }: TextProps) {
  return (
    <label>
      <span>{label}</span>
      <input value={value} size={12} autoComplete="off" onChange={({ target }) => onChange(target.value)} />
    </label>
  );
}
