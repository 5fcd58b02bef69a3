import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';

import { DataTable, numbers } from '../../parts/data-table.tsx';
import { lineText } from '../../parts/cut.ts';
import { Name } from '../../parts/name.tsx';
import { safeText } from '../../parts/safe-text.ts';
import { moved, withRepetitions, type Member, type MemberList } from '../../sets/member-list.ts';
import { useDrag } from './use-drag.ts';

/** What is known of the cases of a set, by id. */
export type KnownCases = ReadonlyMap<string, { readonly name: string; readonly status: string }>;

interface MemberTableProps {
  readonly list: MemberList;
  readonly cases: KnownCases;
  /** By position. */
  readonly wrong: ReadonlyMap<string, string>;
  readonly isBusy: boolean;
  readonly onChange: (list: MemberList) => void;
}

const COLUMNS = ['Order', 'Case', 'Repetitions', 'Actions'];

/** The members of a set, which can be moved, repeated and removed. */
export function MemberTable({ list, cases, wrong, isBusy, onChange }: MemberTableProps) {
  const [told, setTold] = useState('');
  const nameOf = (member: Member) => lineText(cases.get(member.id)?.name ?? member.name ?? member.id, 80);
  const focusLater = useFocusLater(list);
  const move = (from: number, to: number) => {
    const member = list[from];
    if (member === undefined || isBusy) return;
    const next = moved(list, from, to);
    onChange(next);
    setTold(`${nameOf(member)} is now ${next.indexOf(member) + 1} of ${list.length}.`);
  };
  const { drag, handle } = useDrag(({ from, to }) => move(from, to));
  return (
    <>
      <DataTable label="Members" columns={COLUMNS}>
        {list.map((member, index) => (
          <MemberRow
            key={member.id}
            member={member}
            index={index}
            name={safeText(nameOf(member))}
            of={cases.get(member.id)}
            problem={wrong.get(member.id)}
            look={drag === undefined ? undefined : lookOf(drag, index)}
            handle={handle(index)}
            isBusy={isBusy}
            onMove={(step, focused) => {
              focusLater(focused);
              move(index, index + step);
            }}
            onRepeat={(text) => onChange(withRepetitions(list, member.id, text))}
            onRemove={(next) => {
              if (isBusy) return;
              focusLater(next);
              onChange(list.filter(({ id }) => id !== member.id));
              setTold(`${nameOf(member)} is removed.`);
            }}
          />
        ))}
      </DataTable>
      <p aria-live="polite" className="hidden">
        {safeText(told)}
      </p>
    </>
  );
}

interface MemberRowProps extends CaseCellProps {
  readonly index: number;
  readonly name: string;
  readonly look: string | undefined;
  readonly handle: ReturnType<ReturnType<typeof useDrag>['handle']>;
  readonly isBusy: boolean;
  /** `focused`: keeps the focus. */
  readonly onMove: (step: number, focused: HTMLElement | undefined) => void;
  readonly onRepeat: (text: string) => void;
  /** `next`: gets the focus. */
  readonly onRemove: (next: HTMLElement | undefined) => void;
}

function MemberRow({ index, name, look, handle, onMove, ...row }: MemberRowProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = stepOf(event);
    if (step === 0) return;
    event.preventDefault();
    onMove(step, event.target instanceof HTMLElement ? event.target : undefined);
  };
  return (
    <tr data-index={index} className={look} onKeyDown={onKeyDown}>
      <td className="keep">
        <span className="drag" aria-hidden="true" title="Drag to move" {...handle}>
          ⠿
        </span>{' '}
        {index + 1}
      </td>
      <CaseCell member={row.member} of={row.of} problem={row.problem} />
      <td>
        <input
          inputMode="numeric"
          size={4}
          aria-label={`Repetitions of ${name}`}
          aria-invalid={row.problem !== undefined}
          value={row.member.repetitions}
          readOnly={row.isBusy}
          onChange={({ target }) => row.onRepeat(target.value)}
        />
      </td>
      <td>
        <MemberButtons name={name} onMove={onMove} onRemove={row.onRemove} />
      </td>
    </tr>
  );
}

/** The members for who may only read them. */
export function ReadMembers({ list, cases }: Pick<MemberTableProps, 'list' | 'cases'>) {
  return (
    <DataTable label="Members" columns={['Order', 'Case', numbers('Repetitions')]}>
      {list.map((member, index) => (
        <tr key={member.id}>
          <td>{index + 1}</td>
          <CaseCell member={member} of={cases.get(member.id)} problem={undefined} />
          <td className="number">{member.repetitions}</td>
        </tr>
      ))}
    </DataTable>
  );
}

interface CaseCellProps {
  readonly member: Member;
  readonly of: { readonly name: string; readonly status: string } | undefined;
  readonly problem: string | undefined;
}

function CaseCell({ member, of, problem }: CaseCellProps) {
  return (
    <th scope="row">
      <Link data-row to="/cases/$id" params={{ id: member.id }}>
        <Name text={of?.name ?? member.name ?? member.id} />
      </Link>
      {of === undefined || of.status === 'active' ? null : <small>{of.status}: runs skip it</small>}
      {problem === undefined ? null : <p className="wrong">{safeText(problem)}</p>}
    </th>
  );
}

function MemberButtons({ name, onMove, onRemove }: Pick<MemberRowProps, 'name' | 'onMove' | 'onRemove'>) {
  return (
    <span className="row">
      <button
        type="button"
        aria-label={`Move ${name} up`}
        title="Alt+↑"
        onClick={({ currentTarget }) => onMove(-1, currentTarget)}
      >
        ↑
      </button>
      <button
        type="button"
        aria-label={`Move ${name} down`}
        title="Alt+↓"
        onClick={({ currentTarget }) => onMove(1, currentTarget)}
      >
        ↓
      </button>
      <button
        type="button"
        data-remove
        aria-label={`Remove ${name}`}
        onClick={({ currentTarget }) => onRemove(nextOf(currentTarget))}
      >
        Remove
      </button>
    </span>
  );
}

/** The same button of the next row, else of the row before. */
function nextOf(button: HTMLElement): HTMLElement | undefined {
  const row = button.closest('tr');
  const next = row?.nextElementSibling ?? row?.previousElementSibling;
  return next?.querySelector<HTMLElement>('[data-remove]') ?? undefined;
}

function stepOf({ altKey, key }: KeyboardEvent): number {
  if (!altKey) return 0;
  return key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : 0;
}

function lookOf({ from, to }: { readonly from: number; readonly to: number }, index: number) {
  if (index === from) return 'dragged';
  if (index !== to) return undefined;
  return to < from ? 'drop-above' : 'drop-below';
}

/** A row that moves in the page would lose the focus. */
function useFocusLater(list: MemberList) {
  const wanted = useRef<HTMLElement>(undefined);
  useEffect(() => {
    wanted.current?.focus();
    wanted.current = undefined;
  }, [list]);
  return (element: HTMLElement | undefined) => {
    wanted.current = element;
  };
}
