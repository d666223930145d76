'use strict';

// Everything from a manifest or a cluster goes in as text, never as markup.
const make = (tag, className, ...content) => {
  const e = document.createElement(tag);
  if (className) e.className = className;
  e.append(...content);
  return e;
};
const asButton = (e) => {
  const button = make('button', '', ...e.childNodes);
  button.type = 'button';
  e.append(button);
  return button;
};

// The data that the page brings: strings, and for each row of the table what the row does not show.
const readData = () => {
  const packed = Uint8Array.from(atob(JSON.parse(document.getElementById('data').textContent)), (c) => c.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).json();
};

// liveTable lets readers open, filter and sort the rows of the table. A row has its text for searches, its values by the names of the
// filters, and the keys that its columns are sorted by: texts, or numbers from the column firstNumber on. panelOf returns what is
// shown of a row that is opened.
const liveTable = ({ noun, filters, firstNumber, rowOf, panelOf }) => {
  const table = document.querySelector('table');
  const body = table.tBodies[0];
  const headings = [...table.tHead.rows[0].cells];
  const form = document.querySelector('.filters');
  const field = form.elements;
  const count = document.getElementById('count');
  const openAll = document.getElementById('open');
  const reset = document.getElementById('reset');
  const nothing = document.getElementById('nothing');

  const rows = [...body.rows].map((tr, i) => ({
    tr, detail: null, id: 'detail-' + i, ...rowOf(tr, i, [...tr.cells].map((c) => c.textContent)), button: asButton(tr.cells[0]),
  }));

  // ---- one row, opened

  const detailOf = (row) => {
    const cell = make('td', '', make('div', 'panel', ...panelOf(row)));
    cell.colSpan = headings.length;
    const tr = make('tr', 'detail', cell);
    tr.id = row.id;
    row.tr.after(tr);
    row.button.setAttribute('aria-controls', row.id);
    tr.setAttribute('role', 'row');
    cell.setAttribute('role', 'cell');
    return tr;
  };

  const isOpen = (row) => row.button.getAttribute('aria-expanded') === 'true';
  const toggle = (row, open) => {
    if (open) row.detail ||= detailOf(row);
    row.button.setAttribute('aria-expanded', open);
    if (row.detail) row.detail.hidden = !open || row.tr.hidden;
  };

  for (const row of rows) {
    row.button.setAttribute('aria-expanded', 'false');
    row.tr.addEventListener('click', (event) => {
      if (event.target.closest('button') !== row.button && String(getSelection())) return;
      toggle(row, !isOpen(row));
      showCount();
    });
  }

  // ---- filters

  const shown = () => rows.filter((row) => !row.tr.hidden);
  const showCount = () => {
    const n = shown();
    const all = rows.length + ' ' + noun + (rows.length === 1 ? '' : 's');
    const text = n.length === rows.length ? all : n.length + ' of ' + all;
    if (count.textContent !== text) count.textContent = text;
    nothing.hidden = n.length > 0;
    openAll.hidden = n.length === 0;
    openAll.textContent = n.length > 0 && n.every(isOpen) ? 'Close all' : 'Open all';
  };

  const pressed = [];
  const apply = () => {
    const words = field.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    const chosen = filters.filter((name) => field[name].value);
    for (const row of rows) {
      row.tr.hidden = !(chosen.every((name) => [row.values[name]].flat().includes(field[name].value)) && words.every((w) => row.text.includes(w)));
      if (row.detail) row.detail.hidden = row.tr.hidden || !isOpen(row);
    }
    reset.hidden = !words.length && !chosen.length;
    for (const { button, name, value } of pressed) button.setAttribute('aria-pressed', field[name].value === value);
    showCount();
  };

  const choosesBy = (e, name, value) => {
    const button = asButton(e);
    pressed.push({ button, name, value });
    button.addEventListener('click', () => {
      field[name].value = field[name].value === value ? '' : value;
      apply();
    });
  };
  for (const name of filters) {
    for (const tile of document.querySelectorAll('.tile[data-' + name + ']')) choosesBy(tile, name, tile.dataset[name]);
  }
  for (const name of document.querySelectorAll('.bars .name')) choosesBy(name, 'namespace', name.textContent);

  form.addEventListener('input', apply);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', () => { setTimeout(apply); field.text.focus(); });
  openAll.addEventListener('click', () => {
    const open = openAll.textContent === 'Open all';
    for (const row of shown()) toggle(row, open);
    showCount();
  });

  // ---- order

  const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  headings.forEach((th, column) => {
    asButton(th).addEventListener('click', () => {
      const numbers = column >= firstNumber;
      const was = th.getAttribute('aria-sort');
      const up = was ? was === 'descending' : !numbers;
      for (const other of headings) other.removeAttribute('aria-sort');
      th.setAttribute('aria-sort', up ? 'ascending' : 'descending');
      rows.sort((a, b) => {
        const [x, y] = up ? [a.keys[column], b.keys[column]] : [b.keys[column], a.keys[column]];
        return numbers ? x - y : collator.compare(x, y);
      });
      body.append(...rows.flatMap((row) => (row.detail ? [row.tr, row.detail] : [row.tr])));
    });
  });

  // On a phone the table is laid out as cards; the roles keep it a table for screen readers.
  const roles = (list, role) => list.forEach((e) => e.setAttribute('role', role));
  roles([table], 'table');
  roles([table.tHead, body], 'rowgroup');
  roles([table.tHead.rows[0], ...body.rows], 'row');
  roles(headings, 'columnheader');
  for (const row of rows) {
    roles([...row.tr.cells].slice(1), 'cell');
    row.tr.cells[0].setAttribute('role', 'rowheader');
  }

  form.hidden = false;
  document.documentElement.classList.add('live');
  apply();
};

const reportFailure = (problem) => {
  document.getElementById('failed').hidden = false;
  throw problem;
};
