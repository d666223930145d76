// After the first load, the page opens without a network. While there is one, everything comes from there.
const files = ['', 'page.css', 'parts.js', 'playground.css', 'playground.js', 'worker.js', 'wasm_exec.js', 'pillion.wasm.gz'];
const addresses = files.map((file) => new URL(file, registration.scope).href);
const keep = async (request, response) => (await caches.open('pillion')).put(request, response);

addEventListener('install', (event) => {
  event.waitUntil(caches.open('pillion').then((cache) => cache.addAll(addresses)));
});

addEventListener('fetch', (event) => {
  const address = event.request.url.split('#')[0];
  if (!addresses.includes(address)) return;
  event.respondWith(fetch(event.request).then((response) => {
    if (response.ok) event.waitUntil(keep(address, response.clone()));
    return response;
  }, () => caches.match(address)));
});
