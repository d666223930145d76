'use strict';

// What the pages have in common. Everything from a manifest or a cluster goes in as text, never as markup.
const make = (tag, className, ...content) => {
  const e = document.createElement(tag);
  if (className) e.className = className;
  e.append(...content);
  return e;
};

// asItem returns a line of a list, such as a finding.
const asItem = ([className, label, code, text, end, details]) => {
  const item = make('li', className, make('b', '', label), ' ', make('code', '', code), ' ' + text);
  if (end) item.append(' ', make('code', 'end', end));
  if (details) item.append(make('pre', 'details', details));
  return item;
};

// asDiff returns the lines of hunks with their numbers, and how many are added and gone.
const asDiff = (lines, label) => {
  const pre = make('pre', 'diff');
  const tags = { '+': 'ins', '-': 'del', '@': 'b' };
  let before = 0, after = 0, added = 0, gone = 0;
  for (const line of lines) {
    const kind = line[0];
    const e = make(tags[kind] || 'span', '', line || ' ');
    if (kind === '@') [, before, after] = line.match(/-(\d+).*? \+(\d+)/).map(Number);
    else if (kind === '+') { e.dataset.n = after++; added++; }
    else if (kind === '-') { e.dataset.n = before++; gone++; }
    else if (kind === ' ') { e.dataset.n = after++; before++; }
    pre.append(e);
  }
  pre.tabIndex = 0;
  pre.setAttribute('role', 'region');
  pre.setAttribute('aria-label', label);
  return { pre, added, gone };
};

// On a phone a table is laid out as cards; the roles keep it a table for screen readers.
const setRoles = (table) => {
  const roles = (list, role) => [...list].forEach((e) => e.setAttribute('role', role));
  const [body] = table.tBodies;
  roles([table], 'table');
  roles([table.tHead, body], 'rowgroup');
  roles(table.rows, 'row');
  roles(table.tHead.rows[0].cells, 'columnheader');
  for (const { cells } of body.rows) {
    roles(cells, 'cell');
    if (cells[0].tagName === 'TH') roles([cells[0]], 'rowheader');
  }
};
