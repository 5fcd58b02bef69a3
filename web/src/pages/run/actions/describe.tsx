import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { RefusedError } from '../../../../../src/api/client.ts';
import { tagged } from '../../../api.ts';
import { RestoredNote } from '../../../form/restored-note.tsx';
import { useKeptEdit } from '../../../form/use-kept-edit.ts';
import { LinesInput, TextInput } from '../../../parts/inputs.tsx';
import { safeText } from '../../../parts/safe-text.ts';
import { Failed } from '../../../parts/states.tsx';
import { useAction } from '../../../session/use-action.ts';
import { useSend } from '../../../session/use-send.ts';
import { changeOf, mergedNames, namesOf, type Names } from './names.ts';
import type { ActionProps } from './panel-props.ts';
import { Panel } from './panel.tsx';
import { useChangedRun } from './use-changed-run.ts';

/** Changes name, line, tags and note of a run. */
export function Describe(props: ActionProps) {
  const { id } = props.run;
  const run = useQuery({
    queryKey: ['described-run', id],
    queryFn: ({ signal }) => read(id, signal),
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  if (run.isError) return <Failed error={run.error} />;
  return run.data === undefined ? null : <Fields {...props} first={run.data} />;
}

interface Kept {
  readonly names: Names;
  readonly version: string;
}

async function read(run: string, signal?: AbortSignal): Promise<Kept> {
  const options = signal === undefined ? {} : { signal };
  const { answer, version } = await tagged<'getRun'>('/runs/{run}', { path: { run } }, options);
  return { names: namesOf(answer), version };
}

function Fields({ run: { id }, onDone, onClose, first }: ActionProps & { readonly first: Kept }) {
  const { draft, isRestored, discard, change, save, theirs, ...state } = useNames(id, first, onDone);
  return (
    <Panel
      title="Name, line, tags and note"
      does="Save"
      failed="Not saved"
      {...state}
      onSubmit={save}
      onClose={onClose}
    >
      {isRestored ? <RestoredNote onDiscard={discard} /> : null}
      {theirs === undefined ? null : <Theirs {...theirs} />}
      <div className="row">
        <TextInput label="Name" size={24} value={draft.name} onChange={(name) => change({ name })} />
        <TextInput label="Line" size={16} value={draft.line} onChange={(line) => change({ line })} />
      </div>
      <LinesInput label="Tags, one a line" value={draft.tags} onChange={(tags) => change({ tags })} />
      <LinesInput label="Note" value={draft.note} onChange={(note) => change({ note })} />
    </Panel>
  );
}

interface TheirsProps {
  readonly names: Names;
  readonly conflicts: readonly (keyof Names)[];
}

/** What somebody else saved while the form was open. */
function Theirs({ names, conflicts }: TheirsProps) {
  return (
    <div className="problem" role="alert">
      <p>
        Somebody else changed this run meanwhile. Nothing was saved yet: look at the form, and save again.
      </p>
      {conflicts.map((field) => (
        <p key={field}>
          The {field} is now “{safeText(names[field])}”. The form still has your text.
        </p>
      ))}
    </div>
  );
}

function useNames(id: string, first: Kept, onDone: (told: string) => void) {
  const send = useSend();
  const changed = useChangedRun();
  const stored = { now: first.names, base: first.names, version: first.version };
  const { edit, isRestored, change, rebase, discard } = useKeptEdit(`names of run ${id}`, stored);
  const [theirs, setTheirs] = useState<TheirsProps>();
  const { act, ...state } = useAction();
  const write = async () => {
    const body = changeOf(edit.now, edit.base);
    const ifMatch = edit.version;
    await send<'changeRun'>(['PATCH', '/runs/{run}'], { path: { run: id }, body }, { ifMatch });
    discard();
    await changed(id);
    onDone('Saved.');
  };
  const merge = async () => {
    const now = await read(id);
    const merged = mergedNames({ draft: edit.now, base: edit.base, theirs: now.names });
    rebase({ now: merged.draft, base: now.names, version: now.version });
    setTheirs({ names: now.names, conflicts: merged.conflicts });
  };
  const save = () =>
    void act(() =>
      write().catch(async (error: unknown) => {
        if (!(error instanceof RefusedError && error.status === 412)) throw error;
        await merge();
      }),
    );
  return {
    draft: edit.now,
    isRestored,
    discard,
    save,
    theirs,
    ...state,
    change: (next: Partial<Names>) => change({ ...edit.now, ...next }),
  };
}
