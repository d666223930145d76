'use strict';

// The theme that the reader chose on the pages beside this one.
try {
  document.documentElement.dataset.theme = localStorage.getItem('theme') || '';
} catch {} // a browser may refuse to store anything

(async () => {
  const most = { seconds: 10, link: 32000, text: 4e6, lines: 50000, items: 20 };
  const $ = (id) => document.getElementById(id);
  const status = $('status');
  const panel = $('panel');
  const tabs = document.querySelector('.tabs');
  const editors = { 'injector.yaml': $('config'), 'manifests.yaml': $('manifests') };

  // ---- editors

  const marks = new Map(); // the lines with problems, by the editor
  const draw = (area) => {
    const row = parseFloat(getComputedStyle(area).lineHeight);
    const [numbers, lines] = area.parentElement.children;
    const first = Math.floor(area.scrollTop / row);
    const count = Math.min(Math.ceil(area.clientHeight / row) + 1, area.lineCount - first);
    numbers.textContent = Array.from({ length: Math.max(count, 0) }, (_, i) => first + i + 1).join('\n');
    numbers.style.transform = `translateY(${first * row - area.scrollTop}px)`;
    lines.replaceChildren(...(marks.get(area) || []).map(({ Line, Severity }) => {
      const band = make('span', Severity);
      band.style.top = (Line - 1) * row - area.scrollTop + 'px';
      return band;
    }));
  };
  const count = (area) => {
    area.lineCount = area.value.split('\n').length;
    draw(area);
  };

  const goTo = (area, line) => {
    const lines = area.value.split('\n');
    const start = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
    area.focus();
    area.setSelectionRange(start, start + (lines[line - 1] || '').length);
    area.scrollTop = (line - 4) * parseFloat(getComputedStyle(area).lineHeight);
    area.scrollLeft = 0;
  };

  // A text that is put in can be undone like one that is typed. The focus stays where it is.
  const putInto = (area, text) => {
    const focused = document.activeElement;
    area.focus();
    area.select();
    if (!document.execCommand('insertText', false, text)) area.value = text;
    area.setSelectionRange(0, 0);
    area.scrollTop = 0;
    focused.focus();
    changed(area);
  };

  const asButton = (label, act) => {
    const button = make('button', '', label);
    button.type = 'button';
    button.addEventListener('click', act);
    return button;
  };

  const andMore = (n, what) => (n > 0 ? `... and ${n} more ${what}` : '');

  const showMarks = (all) => {
    for (const [file, area] of Object.entries(editors)) {
      const here = all.filter(({ File }) => File === file);
      marks.set(area, here.slice(0, 100));
      $(area.id + '-marks').replaceChildren(...here.slice(0, most.items).map(({ Line, Severity, Text }) => {
        const button = asButton('', () => goTo(area, Line));
        button.append(make('b', '', 'line ' + Line), ' ' + Text);
        return make('li', Severity, button);
      }), make('li', '', andMore(here.length - most.items, 'problems')));
      area.setAttribute('aria-invalid', here.some(({ Severity }) => Severity === 'error'));
      draw(area);
    }
  };

  // ---- results

  let chosen = 0;
  let outputs = [];
  const choose = (n, focus) => {
    chosen = n;
    [...tabs.children].forEach((tab, i) => {
      tab.setAttribute('aria-selected', i === n);
      tab.tabIndex = i === n ? 0 : -1;
      if (i === n && focus) tab.focus();
    });
    panel.setAttribute('aria-labelledby', 'tab-' + n);
    panel.replaceChildren(...outputs[n]?.() || []);
  };
  const names = ['Diff', 'After', 'Policy', 'Patches', 'Plan'];
  names.forEach((name, n) => {
    const tab = asButton(name, () => choose(n));
    tab.id = 'tab-' + n;
    tab.setAttribute('role', 'tab');
    tab.setAttribute('aria-controls', 'panel');
    tabs.append(tab);
  });
  tabs.addEventListener('keydown', (event) => {
    const n = names.length;
    const to = { ArrowRight: (chosen + 1) % n, ArrowLeft: (chosen + n - 1) % n, Home: 0, End: n - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    choose(to, true);
  });

  const listOf = (lines) => {
    const list = make('ul', 'said');
    list.append(...lines.slice(0, most.items).map((line) => asItem(Object.values(line))));
    list.append(make('li', '', andMore(lines.length - most.items, 'problems')));
    return list;
  };
  const showDiff = (lines, more, injected) => {
    const problems = injected.Problems?.length ? [listOf(injected.Problems)] : [];
    if (!lines.length) return problems.length ? problems : [make('p', 'note', 'Nothing changes.')];
    return [...problems, asDiff(lines, 'Diff of the manifests').pre, make('p', 'note', andMore(more, `lines; the tab ${names[1]} has all of them`))];
  };
  const showOutput = ({ Name, Text, Problems }) => [
    ...(Problems?.length ? [listOf(Problems)] : []), ...(Text ? [make('pre', Name === 'Plan' ? 'words' : '', Text)] : []),
  ];

  const reasonOf = ({ Lines, Class }, help) => (Lines || []).slice(0, most.items).flatMap(({ Code, Text, End, More }) => {
    const said = make('p', '', Text + ' ' + End);
    if (More) said.append(make('pre', 'details', More));
    if (Code.toLowerCase() === Class.replaceAll('-', '') || !help[Code]) return [said];
    return [make('details', '', make('summary', '', make('code', '', Code)), make('p', '', help[Code])), said];
  });
  const asRow = (row, help, selectors) => {
    const line = Number(row.Location.split(':')[1]);
    const selector = row.Code === 'SelectorMismatch' && selectors?.[line];
    const select = selector ? [asButton('Select ' + selector.Label, () => putInto($('config'), selector.Config))] : [];
    const name = make('th', '', asButton(row.Name || '(no name)', () => goTo(editors['manifests.yaml'], line)));
    name.scope = 'row';
    const numbers = row.Numbers.map(({ Words }, i) => {
      const cell = make('td', '', Words);
      cell.dataset.name = i ? 'Memory' : 'CPU';
      return cell;
    });
    return make('tr', '', name, make('td', '', row.Namespace || '(none)'), make('td', '', row.Kind), make('td', row.Class, row.State),
      make('td', 'why', ...reasonOf(row, help), ...select), ...numbers);
  };

  const show = (result) => {
    document.documentElement.classList.remove('stale');
    const { Rows, Diff, Marks, Said, More } = result;
    const exported = new Map(result.Outputs.map((output) => [output.Name, output]));
    outputs = [() => showDiff(Diff, More.Diff, result.Outputs[0]), ...names.slice(1).map((name) => () => (
      exported.has(name) ? showOutput(exported.get(name)) : [make('p', 'note', 'The config has errors.')]))];
    choose(chosen);
    $('said').replaceChildren(...listOf(Said || []).children);
    $('summary').textContent = result.Summary;
    const table = document.querySelector('table');
    table.hidden = !Rows.length;
    table.tBodies[0].replaceChildren(...Rows.map((row) => asRow(row, result.Help, result.Selectors)));
    setRoles(table);
    $('more').textContent = andMore(More.Rows, 'workloads');
    showMarks(Marks || []);
  };

  // ---- the worker

  let module, address, worker, isReady, isWanted, timer, typing, id = 0, busy = false, began = 0;
  const say = (text, running = false) => {
    status.textContent = text;
    $('stop').hidden = !running;
  };
  const end = (text) => {
    clearTimeout(timer);
    busy = false;
    say(text);
  };
  const start = () => {
    worker?.terminate();
    isReady = isWanted = busy = false;
    worker = new Worker(address);
    worker.onmessage = ({ data }) => {
      if (data.presets) offer(data.presets);
      else if (data.ended && isReady) stop('Stopped: these texts are too large, or nested too deeply, for a browser.');
      else if (data.ended) end('Pillion cannot start here.');
      else if (data.id === id) {
        end('');
        show(data.result);
        if (document.documentElement.className !== 'live') performance.mark('first result');
        document.documentElement.classList.add('live');
      }
    };
    worker.postMessage(module);
  };
  // Browsers need seconds to show a text of very many lines, and cannot be stopped then.
  const tooLarge = `Too large: this page takes texts of ${most.text / 1e6} MB and ${most.lines} lines.`;
  const isTooLarge = (text) => text.length > most.text || text.split('\n').length > most.lines;
  const fail = (text) => {
    end(text);
    showMarks([]);
    document.documentElement.classList.add('stale');
  };
  const stop = (text) => {
    start();
    fail(text);
  };
  const run = () => {
    clearTimeout(typing);
    if (!module) return; // it is loading, and runs then
    if (busy && performance.now() - began < 1000) return void (typing = setTimeout(run, 100)); // it may be done soon
    if (busy) start(); // what runs is out of date
    const [config, manifests] = Object.values(editors).map((area) => area.value);
    if (isTooLarge(config + manifests)) return fail(tooLarge);
    if (!isReady) return void (isWanted = true); // the worker starts, and runs them then
    [busy, began] = [true, performance.now()];
    clearTimeout(timer);
    timer = setTimeout(() => {
      say('Running …', true);
      document.documentElement.classList.add('stale');
      const late = `Stopped after ${most.seconds} seconds. Shorten the texts, or use the command line, which is faster.`;
      timer = setTimeout(() => stop(late), most.seconds * 1000);
    }, 300);
    worker.postMessage({ id: ++id, config, manifests });
  };
  $('stop').addEventListener('click', () => {
    clearTimeout(typing);
    stop('Stopped. The next change runs again.');
  });

  const types = window.trustedTypes?.createPolicy('worker', { createScriptURL: (url) => url });
  const trusted = (url) => types?.createScriptURL(url) || url;

  // What is loaded is kept: a worker that is stopped is replaced without the network.
  const load = async (file) => {
    const response = await fetch(file);
    if (!response.ok) throw new Error(`${file}: ${response.status} ${response.statusText}`);
    return response;
  };
  const compile = async () => {
    const bytes = await (await load('pillion.wasm.gz')).arrayBuffer();
    const isPacked = new Uint8Array(bytes)[0] === 0x1f; // some servers tell the browser to unpack it
    const unpacked = isPacked ? through(bytes, new DecompressionStream('gzip')) : bytes;
    return WebAssembly.compileStreaming(new Response(unpacked, { headers: { 'Content-Type': 'application/wasm' } }));
  };
  const begin = async () => {
    const [compiled, ...scripts] = await Promise.all([
      compile(), ...['wasm_exec.js', 'worker.js'].map(async (file) => (await load(file)).text())]);
    address = trusted(URL.createObjectURL(new Blob(scripts, { type: 'text/javascript' }))); // with the policy of this page
    module = compiled;
    start();
    run();
    navigator.serviceWorker?.register(trusted('sw.js')).catch(() => {}); // without it, a reload needs the network
  };

  // ---- what people do

  const note = (text) => { $('note').textContent = text; };
  const changed = (area) => {
    count(area);
    note('');
    clearTimeout(typing);
    typing = setTimeout(run, 150);
    if (location.hash) history.replaceState(null, '', location.pathname + location.search); // the link has other texts
  };
  for (const area of Object.values(editors)) {
    area.addEventListener('input', () => changed(area));
    area.addEventListener('paste', (event) => {
      if (!isTooLarge(event.clipboardData.getData('text'))) return;
      event.preventDefault();
      note(tooLarge);
    });
    area.addEventListener('scroll', () => draw(area));
    new ResizeObserver(() => draw(area)).observe(area);
  }

  let presets = [];
  const offer = (all) => {
    isReady = true;
    if (isWanted) run();
    if (presets.length) return;
    presets = all;
    $('preset').append(...all.map(({ Name, Summary }) => new Option(`${Name} – ${Summary}`, Name)));
    $('preset').disabled = false;
    choosePreset();
  };
  const putPreset = (name) => {
    const preset = presets.find(({ Name }) => Name === name);
    if (preset) putInto($('config'), preset.Text);
  };
  $('preset').addEventListener('change', ({ target }) => putPreset(target.value));
  // A link can name a preset, such as #preset=envoy. It may come before the presets do.
  const presetLink = '#preset=';
  const choosePreset = () => {
    if (!presets.length || !location.hash.startsWith(presetLink)) return;
    $('preset').value = location.hash.slice(presetLink.length);
    putPreset($('preset').value);
  };

  // ---- links: both texts, compressed, in the fragment, which browsers do not send

  const through = (bytes, stream) => new Blob([bytes]).stream().pipeThrough(stream);
  const pack = async (text) => {
    const bytes = new Uint8Array(await new Response(through(text, new CompressionStream('deflate-raw'))).arrayBuffer());
    return btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  };
  const unpack = async (packed) => {
    const bytes = Uint8Array.from(atob(packed.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
    const chunks = [];
    let size = 0;
    for (const reader = through(bytes, new DecompressionStream('deflate-raw')).getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) return new Blob(chunks).text();
      chunks.push(value);
      size += value.length;
      if (size > most.text) throw new Error('it is too large');
    }
  };
  $('copy').addEventListener('click', async () => {
    const packed = await pack(JSON.stringify([$('config').value, $('manifests').value]));
    if (packed.length > most.link) {
      return note(`Too long for a link: ${packed.length} characters, and this page takes ${most.link}. Shorten the manifests.`);
    }
    history.replaceState(null, '', '#' + packed);
    const copied = navigator.clipboard?.writeText(location.href) || Promise.reject();
    copied.then(() => note('Link copied.'), () => note('The link is in the address bar.'));
  });
  const restore = async () => {
    const packed = location.hash.slice(1);
    if (location.hash.startsWith(presetLink)) return choosePreset();
    if (!packed || $(packed)) return; // a place in the page
    try {
      const [config, manifests] = JSON.parse(await unpack(packed));
      if (typeof config !== 'string' || typeof manifests !== 'string') throw new Error('it has other content');
      const isLong = (line) => line.length > most.link; // of accents, for example, it would take minutes to show
      if (isTooLarge(config + manifests) || [config, manifests].join('\n').split('\n').some(isLong)) throw new Error('it is too large');
      $('config').value = config;
      $('manifests').value = manifests;
    } catch (problem) {
      note('The link cannot be read: ' + problem.message);
    }
    Object.values(editors).forEach(count);
    run();
  };
  addEventListener('hashchange', restore);

  Object.values(editors).forEach(count);
  await restore();
  await begin();
})().catch((problem) => {
  const why = location.protocol === 'file:' ? 'it needs a web server, such as python3 -m http.server' : problem.message;
  document.getElementById('status').textContent = 'This page cannot run here: ' + why;
  throw problem;
});
