
(async () => {
  const data = await readData();
  const said = (n) => data.strings[n];
  const states = ['missing', 'stale', 'unexpected', 'refused', 'current'];

  const rowOf = (tr, i, cells) => {
    const more = data.rows[i];
    const [current, all] = cells[6].split('/').map(Number);
    return {
      more, text: [...cells, ...more.p.flat().map(said)].join(' ').toLowerCase(),
      values: {
        namespace: cells[1], kind: cells[2], injector: cells[3],
        state: states.filter((state) => cells[4].includes(state) || (state === 'current' && current > 0)),
      },
      keys: [...cells.slice(0, 4), states.indexOf(tr.cells[4].className) + cells[4], cells[5], all ? current / all : 1],
    };
  };

  // Pods of which the same is known are shown together.
  const alike = (pods) => {
    const groups = new Map();
    for (const [name, ...rest] of pods) groups.set(rest.join(), [...(groups.get(rest.join()) ?? []), name]);
    return [...groups].map(([rest, names]) => [names, ...rest.split(',').map(Number)]);
  };

  const podsOf = ([names, state, ...lines]) => {
    const item = make('li', said(state));
    for (const name of names) item.append(make('b', '', said(name)), ' ');
    item.append(make('span', 'state', said(state)));
    for (const line of lines) item.append(make('p', '', said(line)));
    return item;
  };

  const panelOf = ({ more }) => {
    if (!more.p.length) return [make('p', 'note', 'All its pods are current.')];
    const list = make('ul', 'said pods', ...alike(more.p).map(podsOf));
    const rest = more.h ? [make('p', 'note', 'And ' + more.h + ' more; pillion audit -o wide prints all.')] : [];
    return [make('h3', '', 'Pods'), list, ...rest];
  };

  liveTable({ noun: 'owner', filters: ['namespace', 'kind', 'injector', 'state'], firstNumber: 6, rowOf, panelOf });
})().catch(reportFailure);
