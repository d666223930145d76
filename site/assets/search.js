'use strict';

// Searches the docs in the browser: search.json has the text of every section, and is loaded with the first letter.
{
  const root = document.currentScript.src; // the addresses in the index are relative to it
  const field = document.getElementById('search');
  const list = document.getElementById('found');
  const count = document.getElementById('count');
  const shown = 12;
  field.parentElement.hidden = false;

  let index;
  const sections = () => {
    index ??= fetch(new URL('search.json', root)).then((answer) => answer.json());
    return index;
  };

  // A word in a title counts more than one in the text, and each word has to be somewhere.
  const worths = { page: 8, heading: 5, text: 2, code: 1 };
  const score = (section, words) => {
    let sum = 0;
    for (const word of words) {
      const found = Object.keys(worths).filter((part) => section[part].toLowerCase().includes(word));
      if (!found.length) return 0;
      for (const part of found) sum += worths[part];
    }
    return sum;
  };

  // marked returns a text as nodes, with the words in marks.
  const marked = (text, words) => {
    const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return text.split(new RegExp(`(${escaped.join('|')})`, 'i')).map((part, i) => {
      if (i % 2 === 0) return part;
      const mark = document.createElement('mark');
      mark.textContent = part;
      return mark;
    });
  };

  // snippet returns the prose around the first of the words, or the beginning if they are elsewhere. It starts and ends with whole words.
  const snippet = ({ text }, words) => {
    const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0);
    const start = places.length ? text.lastIndexOf(' ', Math.max(0, Math.min(...places) - 50)) + 1 : 0;
    const space = text.lastIndexOf(' ', start + 150);
    const end = text.length <= start + 150 || space <= start ? text.length : space;
    return (start ? '… ' : '') + text.slice(start, end) + (end < text.length ? ' …' : '');
  };

  const result = (section, words) => {
    const item = document.createElement('li');
    const link = document.createElement('a');
    const text = document.createElement('small');
    link.href = new URL(section.address, root);
    link.append(...marked(section.heading ? `${section.page}: ${section.heading}` : section.page, words));
    text.append(...marked(snippet(section, words), words));
    link.append(text);
    item.append(link);
    return item;
  };

  field.addEventListener('input', async () => {
    const asked = field.value;
    const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
    const all = words.length ? await sections() : [];
    if (field.value !== asked) return; // a later letter is faster
    const found = all.map((section) => [score(section, words), section]).filter(([points]) => points);
    found.sort(([a], [b]) => b - a);
    list.replaceChildren(...found.slice(0, shown).map(([, section]) => result(section, words)));
    list.hidden = !found.length;
    count.className = found.length ? '' : 'nothing'; // the number is for screen readers
    count.textContent = words.length ? `${found.length || 'Nothing'} found` : '';
  });

  // ---- keys: / goes to the field, arrows go through what was found, Enter opens it, and Escape closes the list

  const close = () => {
    list.hidden = true;
    count.textContent = '';
  };
  const step = (by) => {
    const places = [field, ...list.querySelectorAll('a')];
    const next = places[places.indexOf(document.activeElement) + by];
    next?.focus();
  };
  field.parentElement.addEventListener('keydown', (event) => {
    const act = {
      ArrowDown: () => step(1),
      ArrowUp: () => step(-1),
      Escape: () => { close(); field.focus(); },
      Enter: () => (event.target === field ? list.querySelector('a') : event.target).click(),
    }[event.key];
    if (!act || list.hidden) return;
    event.preventDefault();
    act();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input, textarea, select')) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
  document.addEventListener('click', ({ target }) => {
    if (!field.parentElement.contains(target)) close();
  });
}
