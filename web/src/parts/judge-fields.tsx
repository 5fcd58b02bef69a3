import { useSettings } from '../session/use-session.ts';
import type { AskedJudge } from './asked-judge.ts';
import { Choice, TextInput } from './inputs.tsx';
import { MODEL_FORM } from './model-form.ts';
import { safeText } from './safe-text.ts';

interface JudgeFieldsProps {
  readonly judge: AskedJudge;
  readonly onChange: (judge: AskedJudge) => void;
  /** What is wrong with the model; absent: nothing. */
  readonly wrong?: string | undefined;
  /** The config names no judge: the field for the model stands apart from the others. */
  readonly isModelApart?: boolean;
}

/** Who judges, and from which score on a conversation passes. */
export function JudgeFields({ judge, onChange, wrong, isModelApart = false }: JudgeFieldsProps) {
  const targets = useSettings().data?.targets ?? [];
  const change = (next: Partial<AskedJudge>) => onChange({ ...judge, ...next });
  return (
    <div className="row top">
      <Choice
        label="Judge"
        value={judge.target}
        choices={[
          ['', 'as in the config, or this model'],
          ...targets.map((name) => [name, `target ${safeText(name)}`] as const),
        ]}
        onChange={(target) => change({ target })}
      />
      {judge.target === '' && !isModelApart ? (
        <JudgeModel judge={judge} wrong={wrong} onChange={onChange} />
      ) : null}
      <TextInput
        label="Pass score of the judge (0–100)"
        size={4}
        value={judge.passScore}
        onChange={(passScore) => change({ passScore })}
      />
    </div>
  );
}

/** The model that judges, where no target does. */
export function JudgeModel({ judge, onChange, wrong, isModelApart = false }: JudgeFieldsProps) {
  return (
    <TextInput
      label="Model of the judge"
      size={20}
      value={judge.model}
      help={
        isModelApart
          ? 'It decides whether what you expect is true.'
          : `As ${MODEL_FORM}. Empty: as in the config.`
      }
      wrong={wrong}
      onChange={(model) => onChange({ ...judge, model })}
    />
  );
}
