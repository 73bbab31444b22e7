import { KEY_VARIABLE, type MarkedRequest } from './requestParts';

/**
 * The request for sh, bash and zsh, with curl; with local files also jq, to read the responses of the upload steps. The
 * key reaches curl by its standard input: arguments of a process are shown to every user of the machine. There are no
 * comments, since a zsh terminal runs them as commands.
 */
export function curlSnippet(base: string, { body, uploads }: MarkedRequest): string {
  // The body is one quoted string, interrupted by the variables of uploaded references, which hold JSON strings.
  let json = quoted(JSON.stringify(body, null, 2));
  uploads.forEach(({ mark }, index) => {
    json = json.replaceAll(JSON.stringify(mark), () => `'"$media_ref_${index + 1}"'`);
  });
  if (uploads.length === 0) {
    return `${[
      `${KEY_HEADER} | curl -sS --fail-with-body ${quoted(`${base}/api/runs`)}`,
      '  -H @-',
      `  -H 'Content-Type: application/json'`,
      `  --data-raw ${json}`,
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

/** One word for a shell, for any text: inside single quotes only the quote itself is special. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** `printf` is a command of the shell itself, so no process has the key as an argument. */
const KEY_HEADER = `printf 'X-API-Key: %s\\n' "$${KEY_VARIABLE}"`;

/** In a subshell: an error ends only the subshell, not the terminal where the code was pasted. */
const PREAMBLE = `(
: 'For sh, bash and zsh. Needs curl and jq, and the key in ${KEY_VARIABLE}.'
set -eu
: "\${${KEY_VARIABLE}:?Set ${KEY_VARIABLE} to your API key}"`;

/**
 * `upload` leaves the reference of a file, as JSON text, in `media_ref`. The service's response cannot name another
 * protocol, option or local file.
 */
const UPLOAD = `post() {
  ${KEY_HEADER} | curl -sS --fail-with-body "$base$1" \\
    -H @- \\
    -H 'Content-Type: application/json' \\
    --data-raw "$2"
}

upload() {
  file=$1
  size=$(wc -c < "$file" | tr -d ' ')
  body=$(jq -n --arg filename "$2" --arg content_type "$3" --arg media_type "$4" \\
    --argjson size_bytes "$size" '$ARGS.named')
  init=$(post /api/media/upload/init "$body")
  url=$(printf '%s' "$init" | jq -er '.upload_url')
  case $url in /*) url=$origin$url ;; esac
  case $url in
    http://* | https://*) ;;
    *) printf '%s\\n' "The service named an upload address that is not used: $url" >&2; exit 1 ;;
  esac
  method=$(printf '%s' "$init" | jq -r '.method // .upload_method // "PUT"')
  case $method in
    PUT | POST | PATCH) ;;
    *) printf '%s\\n' "The service named a method that is not used: $method" >&2; exit 1 ;;
  esac
  id=$(printf '%s' "$init" | jq -e '.upload_id // .uploadId // .id')
  headers=$(printf '%s' "$init" | jq -r --arg type "$3" \\
    '{"content-type": $type} + ((.headers // .upload_headers // {}) | with_entries(.key |= ascii_downcase))
      | to_entries[] | .value |= tostring
      | select((.key | test("\\\\A[a-z0-9!#$%&*+.^_|~-]+\\\\z")) and (.value | test("[[:cntrl:]]") | not))
      | "\\(.key): \\(.value)"')
  printf '%s\\n' "$headers" | curl -gsS --proto =http,https --fail-with-body -o /dev/null \\
    -X "$method" -H @- --data-binary "@$file" "$url"
  completed=$(post /api/media/upload/complete "{\\"upload_id\\": $id}")
  media_ref=$(printf '%s' "$completed" | jq -e '.media_ref')
}`;
