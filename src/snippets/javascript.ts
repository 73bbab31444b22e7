import { literal, type Notation } from './literal';
import { KEY_VARIABLE, type MarkedRequest } from './requestParts';

const NOTATION: Notation = {
  indent: '  ',
  words: { true: 'true', false: 'false', null: 'null' },
  // Written plainly, __proto__ would set the prototype instead of a member.
  key: (name) => (name === '__proto__' ? '["__proto__"]' : JSON.stringify(name)),
};

/**
 * The request for Node.js 18 or later with its own `fetch`, as a module or a script. With `typed` it is TypeScript.
 * Never for a browser: a key must not be in a page (section 5, rule 3).
 */
export function javascriptSnippet(baseUrl: string, { body, uploads }: MarkedRequest, typed: boolean): string {
  const variables = new Map(uploads.map(({ mark }, index) => [mark, `mediaRef${index + 1}`]));
  const steps = uploads.map(
    ({ args }, index) =>
      `  const mediaRef${index + 1} = await upload(${args.map((arg) => JSON.stringify(arg)).join(', ')});\n`,
  );
  const run = literal(body, NOTATION, variables, 1);
  const text = typed ? ': string' : '';
  return `// Node.js 18 or later. The key is read from ${KEY_VARIABLE}.
const baseUrl = ${JSON.stringify(baseUrl)};
const apiKey = process.env.${KEY_VARIABLE} ?? "";

async function post(path${text}, body${typed ? ': unknown' : ''})${typed ? ': Promise<string>' : ''} {
  const response = await fetch(baseUrl + path, {
    method: "POST",
    headers: { "X-API-Key": apiKey, "Content-Type": "application/json" },
    body: JSON.stringify(body),
    redirect: "error", // the key belongs to this address only
  });
  const text = await response.text();
  if (!response.ok) throw new Error(\`\${path} returned \${response.status}: \${text}\`);
  return text;
}
${uploads.length > 0 ? upload(typed) : ''}
async function main() {
  if (apiKey === "") throw new Error("Set ${KEY_VARIABLE} to your API key.");
${steps.join('')}  console.log(await post("/api/runs", ${run}));
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
${typed ? '\nexport {};\n' : ''}`;
}

function upload(typed: boolean): string {
  const t = typed ? ': string' : '';
  const initType = typed
    ? `interface UploadInit {
  upload_url: string;
  upload_id?: string;
  uploadId?: string;
  id?: string;
  method?: string;
  upload_method?: string;
  headers?: Record<string, string>;
  upload_headers?: Record<string, string>;
}

`
    : '';
  return `
${initType}/** Uploads a file (init, bytes, complete) and returns its media_ref. */
async function upload(path${t}, filename${t}, contentType${t}, mediaType${t})${typed ? ': Promise<string>' : ''} {
  const { readFile } = await import("node:fs/promises");
  const bytes = await readFile(path);
  const init${typed ? ': UploadInit' : ''} = JSON.parse(await post("/api/media/upload/init", {
    filename,
    content_type: contentType,
    media_type: mediaType,
    size_bytes: bytes.length,
  }));
  const headers = new Headers(init.headers ?? init.upload_headers ?? {});
  if (!headers.has("content-type")) headers.set("content-type", contentType);
  const url = new URL(init.upload_url, baseUrl);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new Error(\`The service named an upload address that is not used: \${url}\`);
  const sent = await fetch(url, {
    method: init.method ?? init.upload_method ?? "PUT",
    headers,
    body: bytes,
    redirect: "error",
  });
  if (!sent.ok) throw new Error(\`The upload of \${filename} returned \${sent.status}.\`);
  const uploadId = init.upload_id ?? init.uploadId ?? init.id;
  const done = JSON.parse(await post("/api/media/upload/complete", { upload_id: uploadId }));
  return done.media_ref;
}
`;
}
