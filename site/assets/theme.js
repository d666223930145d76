'use strict';

// Sets the theme that the reader chose, before anything is drawn. Without a choice, it is that of the system.
try {
  document.documentElement.dataset.theme = localStorage.getItem('theme') || '';
} catch {} // a browser may refuse to store anything
