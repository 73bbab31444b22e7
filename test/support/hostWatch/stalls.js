// Whose code ran while the extension host did nothing else: the samples of a CPU profile within each stall.

/** In the path of every file of the extension that is measured. */
const OURS = /\/model-bench\.model-bench-[^/]*\//;

/**
 * @param profile of V8's profiler; each sample names a node of the call tree, `timeDeltas` are microseconds
 * @param stalls with their begin and end on the profiler's clock, in microseconds
 * @returns the longest first: `loadingMs` is the part in which code was loaded, on its first use; `ownMs` that in which
 * the measured extension did anything else; `top` where most of both went
 */
exports.describeStalls = (profile, stalls) => {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])),
  );
  const stackOf = (id) => {
    const stack = [];
    for (let at = id; at !== undefined; at = parents.get(at)) stack.push(nodes.get(at).callFrame);
    return stack;
  };
  let atUs = profile.startTime;
  const samples = profile.samples.map((id, index) => {
    atUs += profile.timeDeltas[index];
    return { id, atUs };
  });
  return stalls
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, 30)
    .map(({ ms, fromUs, toUs }) => {
      const stacks = samples
        .filter((one) => one.atUs >= fromUs && one.atUs <= toUs)
        .map(({ id }) => stackOf(id));
      const busy = stacks.filter(([top]) => top.functionName !== '(idle)');
      const loading = busy.filter((stack) => stack.some(isLoading));
      const own = busy.filter((stack) => stack.some(({ url }) => OURS.test(url)));
      const part = (stacks) => (busy.length === 0 ? 0 : (ms * stacks.length) / busy.length);
      return {
        ms,
        loadingMs: part(loading),
        ownMs: part(own.filter((stack) => !loading.includes(stack))),
        top: mostFrequent((own.length > 0 ? own : busy).map(placeOf)),
        inner: mostFrequent(busy.map(([top]) => frameText(top))),
      };
    });
};

/** Node.js's own loader, or the top level of a module that it runs. */
function isLoading({ functionName, url, lineNumber, columnNumber }) {
  const isTopLevel = functionName === '' && lineNumber === 0 && columnNumber === 0;
  return url.startsWith('node:internal/modules/') || (isTopLevel && OURS.test(url));
}

/** The innermost frames of the measured extension; of others, the outermost that has a file. */
function placeOf(stack) {
  const own = stack.filter(({ url }) => OURS.test(url));
  if (own.length > 0) return own.slice(0, 2).map(frameText).join(' < ');
  return frameText(stack.findLast(({ url }) => url !== '' && !url.startsWith('node:')) ?? stack[0]);
}

function frameText({ functionName, url, lineNumber, columnNumber }) {
  return `${functionName || '(anonymous)'} ${url.split('/').slice(-2).join('/')}:${lineNumber + 1}:${columnNumber + 1}`;
}

function mostFrequent(places) {
  const counts = new Map();
  for (const place of places) counts.set(place, (counts.get(place) ?? 0) + 1);
  return [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, 4)
    .map(([place, count]) => `${count} ${place}`);
}
