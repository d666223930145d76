'use strict';

// ---- the theme

const theme = document.getElementById('theme');
theme.value = document.documentElement.dataset.theme || '';
theme.parentElement.hidden = false;
theme.addEventListener('change', () => {
  document.documentElement.dataset.theme = theme.value;
  try {
    localStorage.setItem('theme', theme.value);
  } catch {} // then it is for this page
});

// ---- buttons that copy code

// commandsOf returns what a reader types of a session: the lines behind a prompt, with their continuations, and no output.
const commandsOf = (session) => {
  const commands = [];
  let continues = false;
  for (const line of session.split('\n')) {
    const isCommand = line.startsWith('$ ');
    if (isCommand) commands.push(line.slice(2));
    else if (continues) commands.push(line.replace(/^> /, ''));
    continues = (isCommand || continues) && line.endsWith('\\');
  }
  return commands.join('\n') + '\n';
};

for (const code of document.querySelectorAll('main .highlight:not(.window > *) pre > code[data-lang]')) {
  const isSession = code.dataset.lang === 'console';
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', isSession ? 'Copy the commands' : 'Copy the text');
  button.addEventListener('click', async () => {
    const text = isSession ? commandsOf(code.textContent) : code.textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Not allowed';
    }
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
  code.closest('.highlight').append(button);
}

// ---- folded lists of pages and sections, on narrow screens

for (const list of document.querySelectorAll('[popover]')) {
  list.addEventListener('click', ({ target }) => {
    if (target.closest('a') && list.matches(':popover-open')) list.hidePopover();
  });
}
