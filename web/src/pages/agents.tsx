import { useSearch } from '@tanstack/react-router';

import { useAgentList } from '../agents/queries.ts';
import { ConfigTargets } from './agents/config-targets.tsx';
import { StoredList } from './stored-list.tsx';

/** The agents of the store. */
export function AgentsPage() {
  return (
    <>
      <StoredList
        of={useAgentList(useSearch({ from: '/agents' }))}
        place="/agents"
        one="agent"
        nameColumn="Agent"
        title="Agents"
        emptyText="No agents yet. The server keeps all versions of an agent, so that runs can use and compare them."
      />
      <ConfigTargets />
    </>
  );
}
