import {
  agent,
  agentBody,
  agentChange,
  agents,
  agentsQuery,
  agentVersion,
  agentVersionBody,
  agentVersions,
  agentVersionsQuery,
  probe,
  probeBody,
} from '../resources/agent.ts';
import { configTargets } from '../resources/config-target.ts';
import { toolMocks, toolMocksBody } from '../resources/test-case.ts';
import { change, create, readStore, write, type Route } from '../route.ts';

/** The agents of the store. */
export const agentRoutes = {
  listAgents: readStore({
    path: '/agents',
    summary: 'Agents of the store, oldest first',
    query: agentsQuery,
    answer: agents,
  }),
  createAgent: create({
    path: '/agents',
    summary: 'Add an agent with version 1',
    body: agentBody,
    checksBody: true,
    answer: agent,
    tagged: true,
  }),
  getAgent: readStore({
    path: '/agents/{id}',
    summary: 'One agent with the config of its newest version',
    answer: agent,
    tagged: true,
  }),
  changeAgent: change({
    method: 'PATCH',
    path: '/agents/{id}',
    summary: 'Change the description of an agent, archive it, or restore it',
    body: agentChange,
    answer: agent,
  }),
  archiveAgent: change({
    method: 'DELETE',
    path: '/agents/{id}',
    summary: 'Archive an agent: no new run can use it, and its history is kept',
    answer: agent,
  }),
  listAgentVersions: readStore({
    path: '/agents/{id}/versions',
    summary: 'Versions of an agent, newest first',
    query: agentVersionsQuery,
    answer: agentVersions,
  }),
  addAgentVersion: create({
    path: '/agents/{id}/versions',
    summary:
      'Add a version; if the config is the same as in the newest version, returns that version with 200',
    body: agentVersionBody,
    answer: agentVersion,
  }),
  getAgentVersion: readStore({
    path: '/agents/{id}/versions/{version}',
    summary: 'One version of an agent',
    answer: agentVersion,
  }),
  getAgentMocks: readStore({
    path: '/agents/{id}/mocks',
    summary: 'All tool mocks of an agent, in their order',
    answer: toolMocks,
    tagged: true,
  }),
  replaceAgentMocks: change({
    method: 'PUT',
    path: '/agents/{id}/mocks',
    summary: 'Replace all tool mocks of an agent',
    body: toolMocksBody,
    answer: toolMocks,
  }),
  probeAgent: write({
    method: 'POST',
    path: '/agents/{id}/probe',
    summary: 'Send "Hello" to an agent, once',
    body: probeBody,
    answer: probe,
  }),
  listTargets: readStore({
    path: '/targets',
    summary: 'Targets of the config, each as an agent that can be added',
    answer: configTargets,
  }),
} as const satisfies Readonly<Record<string, Route>>;
