// The worker that runs Pillion, behind Go's wasm_exec.js. It gets the compiled module first, and then texts to run.
const begun = new Promise((resolve) => { globalThis.ready = resolve; });
const ended = () => postMessage({ ended: true });

// What is too much to show is counted: thousands of rows would hold up the page.
const shortened = (result) => {
  result.More = {};
  for (const [list, most] of Object.entries({ Rows: 300, Diff: 3000 })) {
    result[list] ||= [];
    result.More[list] = result[list].splice(most).length;
  }
  return result;
};

onmessage = ({ data }) => {
  if (data instanceof WebAssembly.Module) {
    const go = new Go();
    WebAssembly.instantiate(data, go.importObject).then((instance) => go.run(instance)).then(ended, ended);
    begun.then(() => postMessage({ presets: JSON.parse(presets) }));
    return;
  }
  begun.then(() => postMessage({ id: data.id, result: shortened(JSON.parse(run(data.config, data.manifests))) })).catch(ended);
};
