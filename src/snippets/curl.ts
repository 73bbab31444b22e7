import { KEY_VARIABLE, type MarkedRequest } from './requestParts';

/**
 * The request for bash, with curl; with local files also jq, to read the responses of the upload steps. The key reaches
 * curl by its standard input: arguments of a process are shown to every user of the machine.
 */
export function curlSnippet(base: string, { body, uploads }: MarkedRequest): string {
  // The body is one quoted string, interrupted by the variables of uploaded references, which hold JSON strings.
  let json = quoted(JSON.stringify(body, null, 2));
  uploads.forEach(({ mark }, index) => {
    json = json.replaceAll(JSON.stringify(mark), () => `'"$media_ref_${index + 1}"'`);
  });
  if (uploads.length === 0) {
    return `${[
      `curl -sS --fail-with-body ${quoted(`${base}/api/runs`)}`,
      '  -H @-',
      `  -H 'Content-Type: application/json'`,
      `  --data-raw ${json} <<< ${KEY_HEADER}`,
    ].join(' \\\n')}\n`;
  }
  const steps = uploads.map(
    ({ args }, index) => `upload ${args.map(quoted).join(' ')}\nmedia_ref_${index + 1}=$media_ref`,
  );
  return `${PREAMBLE}
base=${quoted(base)}
origin=${quoted(/^[a-z]+:\/\/[^/]*/i.exec(base)?.[0] ?? base)}

${UPLOAD}

${steps.join('\n')}

post /api/runs ${json}
)
`;
}

/** One word for bash, for any text: inside single quotes only the quote itself is special. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

const KEY_HEADER = `"X-API-Key: $${KEY_VARIABLE}"`;

/** In a subshell: an error ends only the subshell, not the terminal where the code was pasted. */
const PREAMBLE = `#!/usr/bin/env bash
# Needs curl and jq. The key is read from ${KEY_VARIABLE}.
(
set -euo pipefail
: "\${${KEY_VARIABLE}:?Set ${KEY_VARIABLE} to your API key}"`;

const UPLOAD = `post() { # path, JSON body
  curl -sS --fail-with-body "$base$1" \\
    -H @- \\
    -H 'Content-Type: application/json' \\
    --data-raw "$2" <<< ${KEY_HEADER}
}

# Uploads a file (init, bytes, complete) and leaves its reference, as JSON text, in media_ref.
upload() { # path, file name, content type, media type
  local size init url method id done headers=() header
  size=$(wc -c < "$1")
  init=$(post /api/media/upload/init "$(jq -n --arg filename "$2" --arg content_type "$3" \\
    --arg media_type "$4" --argjson size_bytes "$size" '$ARGS.named')")
  url=$(jq -er '.upload_url' <<< "$init")
  case $url in /*) url=$origin$url ;; esac
  # What the service names is used only as what it is to be: no other protocol, option or local file.
  case $url in http://* | https://*) ;; *) echo "The service named an upload address that is not used: $url" >&2; return 1 ;; esac
  method=$(jq -r '.method // .upload_method // "PUT"' <<< "$init")
  case $method in PUT | POST | PATCH) ;; *) echo "The service named a method that is not used: $method" >&2; return 1 ;; esac
  id=$(jq -e '.upload_id // .uploadId // .id' <<< "$init")
  while IFS= read -r header; do headers+=(-H "$header"); done < <(jq -r --arg type "$3" \\
    '{"content-type": $type} + ((.headers // .upload_headers // {}) | with_entries(.key |= ascii_downcase))
      | to_entries[] | .value |= tostring
      | select((.key | test("\\\\A[a-z0-9!#$%&*+.^_|~-]+\\\\z")) and (.value | test("[[:cntrl:]]") | not))
      | "\\(.key): \\(.value)"' <<< "$init")
  curl -gsS --proto =http,https --fail-with-body -o /dev/null -X "$method" "\${headers[@]}" --data-binary "@$1" "$url"
  done=$(post /api/media/upload/complete "{\\"upload_id\\": $id}")
  media_ref=$(jq -e '.media_ref' <<< "$done")
}`;
