'use strict';
(async () => {
  const packed = Uint8Array.from(atob(JSON.parse(document.getElementById('data').textContent)), (c) => c.charCodeAt(0));
  const data = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).json();
  const said = (n) => data.strings[n];
  const table = document.querySelector('table');
  const body = table.tBodies[0];
  const form = document.querySelector('.filters');
  const field = form.elements;
  const count = document.getElementById('count');
  const openAll = document.getElementById('open');
  const reset = document.getElementById('reset');
  const nothing = document.getElementById('nothing');

  // Everything from a manifest goes in as text, never as markup.
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

  const rows = [...body.rows].map((tr, i) => {
    const cells = [...tr.cells].map((c) => c.textContent);
    const more = data.rows[i];
    const severities = more.n.filter((_, k) => k % 5 === 0).map(said);
    return {
      tr, more, detail: null, id: 'diff-' + i, label: cells[2] + ' ' + cells[0],
      text: [...cells.slice(0, 5), said(more.f), ...more.n.map(said)].join(' ').toLowerCase(),
      values: { namespace: cells[1], kind: cells[2], decision: cells[3], reason: tr.querySelector('code')?.textContent ?? '', severity: severities },
      keys: [...cells.slice(0, 5), more.c, more.m],
      button: asButton(tr.cells[0]),
    };
  });

  // ---- one workload, opened

  const diffLines = (row) => {
    const lines = [];
    for (let i = 0; i < row.more.d.length; i += 2) {
      const [start, length] = row.more.d.slice(i, i + 2);
      lines.push(...data.strings.slice(start, start + length));
    }
    return lines;
  };

  const diffOf = (row) => {
    const pre = make('pre', 'diff');
    const tags = { '+': 'ins', '-': 'del', '@': 'b' };
    let before = 0, after = 0, added = 0, gone = 0;
    for (const line of diffLines(row)) {
      const kind = line[0];
      const e = make(tags[kind] || 'span', '', line || ' ');
      if (kind === '@') [, before, after] = line.match(/-(\d+).* \+(\d+)/).map(Number);
      else if (kind === '+') { e.dataset.n = after++; added++; }
      else if (kind === '-') { e.dataset.n = before++; gone++; }
      else if (kind === ' ') { e.dataset.n = after++; before++; }
      pre.append(e);
    }
    pre.tabIndex = 0;
    pre.setAttribute('role', 'region');
    pre.setAttribute('aria-label', 'Diff of ' + row.label);
    const sum = make('p', 'sum', make('ins', '', added ? '+' + added : ''), ' ', make('del', '', gone ? '\u2212' + gone : ''), ' ',
      row.tr.cells[3].className === 'removed' ? 'the marked lines were the sidecar\u2019s' : 'the marked lines are the sidecar\u2019s');
    return [make('h3', '', 'What changes'), sum, pre];
  };

  const saidOf = (row) => {
    const list = make('ul', 'said');
    for (let i = 0; i < row.more.n.length; i += 5) {
      const [severity, code, injector, message, details] = row.more.n.slice(i, i + 5).map(said);
      const item = make('li', severity, make('b', '', severity), ' ', make('code', '', code), ' ' + message);
      if (injector) item.append(' ', make('span', 'place', '[' + injector + ']'));
      if (details) item.append(make('pre', 'details', details));
      list.append(item);
    }
    return [make('h3', '', 'What was said'), list];
  };

  const detailOf = (row) => {
    const cell = make('td');
    cell.colSpan = 7;
    const panel = make('div', 'panel');
    const file = said(row.more.f);
    if (file) panel.append(make('p', 'place', file));
    if (row.more.n.length) panel.append(...saidOf(row));
    if (row.more.d.length) panel.append(...diffOf(row));
    else panel.append(make('p', 'note', 'Its text stays as it is.'));
    cell.append(panel);
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
    const all = rows.length + (rows.length === 1 ? ' workload' : ' workloads');
    const text = n.length === rows.length ? all : n.length + ' of ' + all;
    if (count.textContent !== text) count.textContent = text;
    nothing.hidden = n.length > 0;
    openAll.hidden = n.length === 0;
    openAll.textContent = n.length > 0 && n.every(isOpen) ? 'Close all' : 'Open all';
  };

  const pressed = [];
  const apply = () => {
    const words = field.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    const chosen = ['namespace', 'kind', 'decision', 'reason', 'severity'].filter((name) => field[name].value);
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
  for (const tile of document.querySelectorAll('.tile[data-decision]')) choosesBy(tile, 'decision', tile.dataset.decision);
  for (const tile of document.querySelectorAll('.tile[data-severity]')) choosesBy(tile, 'severity', tile.dataset.severity);
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
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((th, column) => {
    asButton(th).addEventListener('click', () => {
      const numbers = column > 4;
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

  // On a phone the table is laid out as cards; the roles keep it a table for who listens to it.
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
})().catch((problem) => {
  document.getElementById('failed').hidden = false;
  throw problem;
});
