(async () => {
  // The data that the page brings: strings, and for each row of the table what the row does not show.
  const packed = Uint8Array.from(atob(JSON.parse(document.getElementById('data').textContent)), (c) => c.charCodeAt(0));
  const data = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).json();
  const said = (n) => data.strings[n];

  const asButton = (e) => {
    const button = make('button', '', ...e.childNodes);
    button.type = 'button';
    e.append(button);
    return button;
  };

  const table = document.querySelector('table');
  const body = table.tBodies[0];
  const headings = [...table.tHead.rows[0].cells];
  const form = document.querySelector('.filters');
  const field = form.elements;
  const count = document.getElementById('count');
  const openAll = document.getElementById('open');
  const reset = document.getElementById('reset');
  const nothing = document.getElementById('nothing');

  // A row has its text for searches, its values by the names of the filters, and the keys that its columns are sorted by: texts, and the
  // numbers at the end. States are sorted as the table begins, worst first.
  const classes = [...new Set([...body.rows].map((tr) => tr.cells[3].className))];
  const rows = [...body.rows].map((tr, i) => {
    const more = data.rows[i];
    const cells = [...tr.cells].map((c) => c.textContent);
    const keys = [...cells.slice(0, headings.length - more.k.length), ...more.k];
    keys[3] = classes.indexOf(tr.cells[3].className) + keys[3];
    return {
      tr, more, keys, detail: null, id: 'detail-' + i, label: cells[2] + ' ' + cells[0], button: asButton(tr.cells[0]),
      text: [...cells, ...[more.p, ...more.l].map(said)].join(' ').toLowerCase(),
      values: Object.fromEntries(data.filters.map((name, k) => [name, more.v[k].map(said)])),
    };
  });

  // ---- one row, opened

  const linesOf = ({ more }) => {
    const list = make('ul', 'said');
    for (let i = 0; i < more.l.length; i += 6) {
      list.append(asItem(more.l.slice(i, i + 6).map(said)));
    }
    return [make('h3', '', data.details), list];
  };

  const diffOf = (row) => {
    const runs = [];
    for (let i = 0; i < row.more.d.length; i += 2) {
      const [start, length] = row.more.d.slice(i, i + 2);
      runs.push(data.strings.slice(start, start + length));
    }
    const { pre, added, gone } = asDiff(runs.flat(), 'Diff of ' + row.label);
    const sum = make('p', 'sum', make('ins', '', added ? '+' + added : ''), ' ', make('del', '', gone ? '\u2212' + gone : ''), ' ',
      row.tr.cells[3].className === 'removed' ? 'the marked lines were the sidecar\u2019s' : 'the marked lines are the sidecar\u2019s');
    return [make('h3', '', 'What changes'), sum, pre];
  };

  const panelOf = (row) => {
    const { p, l, d, n } = row.more;
    return [
      ...(said(p) ? [make('p', 'place', said(p))] : []), ...(l.length ? linesOf(row) : []), ...(d.length ? diffOf(row) : []),
      ...(said(n) ? [make('p', 'note', said(n))] : []),
    ];
  };

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

  const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  const filters = [];
  for (const name of data.filters) {
    const values = [...new Set(rows.flatMap((row) => row.values[name]))].sort(collator.compare);
    if (!values.length) continue;
    const select = make('select', '', new Option('all', ''), ...values.map((value) => new Option(value)));
    select.name = name;
    form.lastElementChild.before(make('label', '', make('span', '', name[0].toUpperCase() + name.slice(1)), select));
    filters.push(name);
  }

  const shown = () => rows.filter((row) => !row.tr.hidden);
  const showCount = () => {
    const n = shown();
    const all = rows.length + ' ' + data.noun + (rows.length === 1 ? '' : 's');
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
      row.tr.hidden = !(chosen.every((name) => row.values[name].includes(field[name].value)) && words.every((w) => row.text.includes(w)));
      if (row.detail) row.detail.hidden = row.tr.hidden || !isOpen(row);
    }
    reset.hidden = !words.length && !chosen.length;
    for (const { button, name, value } of pressed) button.setAttribute('aria-pressed', field[name].value === value);
    showCount();
  };

  const choosesBy = (e, name, value) => {
    if (!rows.some((row) => row.values[name]?.includes(value))) return;
    const button = asButton(e);
    pressed.push({ button, name, value });
    button.addEventListener('click', () => {
      field[name].value = field[name].value === value ? '' : value;
      apply();
    });
  };
  for (const tile of document.querySelectorAll('.tile')) choosesBy(tile, tile.dataset.filter, tile.dataset.value);
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

  headings.forEach((th, column) => {
    asButton(th).addEventListener('click', () => {
      const isNumber = rows.length && typeof rows[0].keys[column] === 'number';
      const was = th.getAttribute('aria-sort');
      const up = was ? was === 'descending' : !isNumber;
      for (const other of headings) other.removeAttribute('aria-sort');
      th.setAttribute('aria-sort', up ? 'ascending' : 'descending');
      rows.sort((a, b) => {
        const [x, y] = up ? [a.keys[column], b.keys[column]] : [b.keys[column], a.keys[column]];
        return isNumber ? x - y : collator.compare(x, y);
      });
      body.append(...rows.flatMap((row) => (row.detail ? [row.tr, row.detail] : [row.tr])));
    });
  });

  setRoles(table);

  form.hidden = false;
  document.documentElement.classList.add('live');
  apply();
})().catch((problem) => {
  document.getElementById('failed').hidden = false;
  throw problem;
});
