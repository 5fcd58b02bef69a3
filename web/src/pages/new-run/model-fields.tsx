import { Link } from '@tanstack/react-router';

import { Check, TextInput } from '../../parts/inputs.tsx';
import { JudgeModel } from '../../parts/judge-fields.tsx';
import { MODEL_FORM } from '../../parts/model-form.ts';
import type { ModelProblems } from './model-problems.ts';
import type { Asked } from './plan.ts';
import type { KnownTargets } from './use-known-targets.ts';

interface UserModelProps {
  readonly asked: Asked;
  /** Undefined: nothing is wrong with the models. */
  readonly problems: ModelProblems | undefined;
  readonly onChange: (next: Partial<Asked>) => void;
  /** Whether the config has no simulated user. */
  readonly isApart?: boolean;
}

interface ModelFieldsProps extends UserModelProps {
  readonly known: KnownTargets['models'];
  /** Id of the run whose models are filled in. */
  readonly modelsOf: string | undefined;
}

/** The models that the config does not name: most cases need them. */
export function ModelFields({ known: { hasUser, hasJudge }, modelsOf, ...props }: ModelFieldsProps) {
  const { asked, problems, onChange } = props;
  const { isWithoutModels } = asked;
  if (hasUser && hasJudge && !isWithoutModels) return null;
  return (
    <fieldset className="field targets">
      <legend>Language models: who plays the user, and who judges</legend>
      {isWithoutModels ? null : <p className="quiet">Write a model as {MODEL_FORM}.</p>}
      {modelsOf === undefined ? null : (
        <p className="quiet">
          Filled in as in{' '}
          <Link to="/runs/$run" params={{ run: modelsOf }}>
            an earlier run
          </Link>
          .
        </p>
      )}
      {isWithoutModels ? (
        <AnswerText {...props} />
      ) : (
        <div className="row top">
          {hasUser ? null : <UserModel isApart {...props} />}
          {hasJudge || asked.judge.target !== '' ? null : (
            <JudgeModel
              isModelApart
              judge={asked.judge}
              wrong={problems?.judge}
              onChange={(judge) => onChange({ judge })}
            />
          )}
        </div>
      )}
      {hasJudge && !isWithoutModels ? null : (
        <div className="row">
          <Check isOn={isWithoutModels} onChange={(isOn) => onChange({ isWithoutModels: isOn })}>
            Use no language model: check the text of the first answer
          </Check>
        </div>
      )}
    </fieldset>
  );
}

/** What the only answer is checked for. */
function AnswerText({ asked, problems, onChange }: UserModelProps) {
  return (
    <TextInput
      label="The answer must contain"
      size={30}
      value={asked.answerText}
      help="Such as: refund. Upper and lower case count as the same. It replaces the checks of the config."
      wrong={problems?.text}
      onChange={(answerText) => onChange({ answerText })}
    />
  );
}

/** The model that plays the user. */
export function UserModel({ asked, problems, onChange, isApart = false }: UserModelProps) {
  return (
    <TextInput
      label="Model of the simulated user"
      size={20}
      value={asked.userModel}
      help={`${isApart ? 'It talks to the agent.' : `As ${MODEL_FORM}. Empty: as in the config.`} Cases with “Most turns” 1 need none.`}
      wrong={problems?.user}
      onChange={(userModel) => onChange({ userModel })}
    />
  );
}
