// SPDX-License-Identifier: Apache-2.0
// Rows of values: a table where there is room, and cards of two lines on a phone.
import { Fragment, type ComponentChildren } from 'preact';
import { setQuery } from '../state/route';
import { useNarrow } from './media';

export interface Column<R> {
  name: string;
  label: string;
  title: string;  // what the column says, in a sentence
  number?: boolean;
  wide?: boolean;
  sorts?: boolean;
  optional?: boolean;  // left out if no row has anything to say
  card?: 'key' | 'hide';  // on a phone: beside the name, or not at all
  kind?: (row: R) => string;  // class of the cell
  show: (row: R) => ComponentChildren;  // null: nothing to say
}

interface DataTableProps<R> {
  label: string;
  rows: readonly R[];
  columns: readonly Column<R>[];  // the first is the name of the row
  keyOf: (row: R) => string;
  order?: string;
  ascending?: boolean;
  current?: number;
  quiet?: (row: R) => boolean;
  below?: (row: R) => ComponentChildren;
}

export function DataTable<R>(props: DataTableProps<R>) {
  const columns = props.columns.filter((column) => !column.optional || props.rows.some((row) => column.show(row) !== null));
  return useNarrow() ? <Cards {...props} columns={columns} /> : <Table {...props} columns={columns} />;
}

function Table<R>({ label, rows, columns, keyOf, order, ascending, current = -1, quiet, below }: DataTableProps<R>) {
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label={`${label}, table`}>
      <table class="data">
        <thead><tr>{columns.map((column) => (
          <th key={column.name} scope="col" title={column.title} class={column.number ? 'number' : ''} aria-sort={order === column.name ? (ascending ? 'ascending' : 'descending') : undefined}>
            {column.sorts ? <button type="button" class="sort" onClick={() => setQuery({ sort: column.name })}>{column.label}{order === column.name ? <span aria-hidden="true">{ascending ? '↑' : '↓'}</span> : null}</button> : column.label}
          </th>))}</tr></thead>
        <tbody>{rows.map((row, index) => {
          const more = below?.(row);
          return (
            <Fragment key={keyOf(row)}>
              <tr data-entry class={`${index === current ? 'is-current' : ''} ${quiet?.(row) ? 'is-quiet' : ''}`} aria-current={index === current ? 'true' : undefined}>
                {columns.map((column, at) => {
                  const value = column.show(row) ?? <span class="quiet">·</span>;
                  const kind = `${column.number ? 'number' : ''} ${column.wide ? 'wide' : ''} ${column.kind?.(row) ?? ''}`;
                  return at ? <td key={column.name} class={kind}>{value}</td> : <th key={column.name} scope="row" class={kind}>{value}</th>;
                })}
              </tr>
              {more ? <tr class="below"><td colSpan={columns.length}>{more}</td></tr> : null}
            </Fragment>);
        })}</tbody>
      </table>
    </div>
  );
}

function Cards<R>({ label, rows, columns, keyOf, order, current = -1, quiet, below }: DataTableProps<R>) {
  const [name, ...rest] = columns;
  const key = rest.find((column) => column.card === 'key');
  const others = rest.filter((column) => column !== key && column.card !== 'hide');
  const sorts = columns.filter((column) => column.sorts);
  return (
    <>
      {sorts.length ? <label class="card-order">Sort by <select value={order ?? ''} onChange={(event) => setQuery({ sort: event.currentTarget.value })}>{sorts.map((column) => <option key={column.name} value={column.name}>{column.label}</option>)}</select></label> : null}
      <ul class="cards" aria-label={label}>{rows.map((row, index) => {
        const more = below?.(row);
        return (
          <li key={keyOf(row)} data-entry class={`${index === current ? 'is-current' : ''} ${quiet?.(row) ? 'is-quiet' : ''}`}>
            <div class="card-head"><b class={name!.number ? 'number' : ''}>{name!.show(row)}</b>{key ? <span class={`card-key ${key.kind?.(row) ?? ''}`}>{key.show(row)}</span> : null}</div>
            <dl>{others.map((column) => {
              const value = column.show(row);
              return value === null ? null : <div key={column.name}><dt title={column.title}>{column.label}</dt><dd class={`${column.number ? 'number' : ''} ${column.kind?.(row) ?? ''}`}>{value}</dd></div>;
            })}</dl>
            {more}
          </li>);
      })}</ul>
    </>
  );
}
