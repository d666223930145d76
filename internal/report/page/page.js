
(async () => {
  const data = await readData();
  const said = (n) => data.strings[n];

  const rowOf = (tr, i, cells) => {
    const more = data.rows[i];
    const severities = more.n.filter((_, k) => k % 5 === 0).map(said);
    return {
      more, label: cells[2] + ' ' + cells[0],
      text: [...cells.slice(0, 5), said(more.f), ...more.n.map(said)].join(' ').toLowerCase(),
      values: { namespace: cells[1], kind: cells[2], decision: cells[3], reason: tr.querySelector('code')?.textContent ?? '', severity: severities },
      keys: [...cells.slice(0, 5), more.c, more.m],
    };
  };

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

  const panelOf = (row) => {
    const file = said(row.more.f);
    return [
      ...(file ? [make('p', 'place', file)] : []),
      ...(row.more.n.length ? saidOf(row) : []),
      ...(row.more.d.length ? diffOf(row) : [make('p', 'note', 'Its text stays as it is.')]),
    ];
  };

  liveTable({ noun: 'workload', filters: ['namespace', 'kind', 'decision', 'reason', 'severity'], firstNumber: 5, rowOf, panelOf });
})().catch(reportFailure);
