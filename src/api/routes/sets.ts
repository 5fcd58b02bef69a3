import {
  caseSet,
  caseSetBody,
  caseSetChange,
  caseSets,
  caseSetsQuery,
  members,
  membersBody,
} from '../resources/case-set.ts';
import { change, create, readStore, write, type Route } from '../route.ts';

/** Sets of test cases. */
export const setRoutes = {
  listCaseSets: readStore({
    path: '/case-sets',
    summary: 'Sets of test cases, oldest first',
    query: caseSetsQuery,
    answer: caseSets,
  }),
  createCaseSet: create({
    path: '/case-sets',
    summary: 'Add a set without members',
    body: caseSetBody,
    answer: caseSet,
    tagged: true,
  }),
  getCaseSet: readStore({
    path: '/case-sets/{id}',
    summary: 'One set',
    answer: caseSet,
    tagged: true,
  }),
  changeCaseSet: change({
    method: 'PATCH',
    path: '/case-sets/{id}',
    summary: 'Rename, describe, archive or restore a set',
    body: caseSetChange,
    answer: caseSet,
  }),
  archiveCaseSet: change({
    method: 'DELETE',
    path: '/case-sets/{id}',
    summary: 'Archive a set: lists no longer show it, and it can be restored',
    answer: caseSet,
  }),
  listMembers: readStore({
    path: '/case-sets/{id}/members',
    summary: 'All members of a set, in their order',
    answer: members,
    tagged: true,
  }),
  replaceMembers: change({
    method: 'PUT',
    path: '/case-sets/{id}/members',
    summary: 'Replace all members of a set',
    body: membersBody,
    answer: members,
  }),
  addMembers: write({
    method: 'POST',
    path: '/case-sets/{id}/members',
    summary: 'Add members at the end of a set',
    body: membersBody,
    answer: members,
    tagged: true,
  }),
  removeMember: change({
    method: 'DELETE',
    path: '/case-sets/{id}/members/{test_case_id}',
    summary: 'Remove a member from a set',
    answer: members,
  }),
} as const satisfies Readonly<Record<string, Route>>;
