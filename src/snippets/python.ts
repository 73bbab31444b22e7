import { literal, type Notation } from './literal';
import { KEY_VARIABLE, type MarkedRequest } from './requestParts';

const NOTATION: Notation = {
  indent: '    ',
  words: { true: 'True', false: 'False', null: 'None' },
  key: (name) => JSON.stringify(name),
};

/** The request for Python 3 with the package `requests`. */
export function pythonSnippet(baseUrl: string, { body, uploads }: MarkedRequest): string {
  const variables = new Map(uploads.map(({ mark }, index) => [mark, `media_ref_${index + 1}`]));
  const steps = uploads.map(
    ({ args }, index) =>
      `media_ref_${index + 1} = upload(${args.map((arg) => JSON.stringify(arg)).join(', ')})\n`,
  );
  const hasFiles = uploads.length > 0;
  return `# Needs the package requests. The key is read from ${KEY_VARIABLE}.
import os
${hasFiles ? 'from urllib.parse import urljoin\n' : ''}
import requests

BASE_URL = ${JSON.stringify(baseUrl)}
API_KEY = os.environ.get("${KEY_VARIABLE}")
if not API_KEY:
    raise SystemExit("Set ${KEY_VARIABLE} to your API key.")


def post(path, body):
    # Redirects are not followed: the key belongs to this address only.
    response = requests.post(
        BASE_URL + path, json=body, headers={"X-API-Key": API_KEY}, allow_redirects=False
    )
    if not 200 <= response.status_code < 300:
        raise SystemExit(f"{path} returned {response.status_code}: {response.text}")
    return response

${hasFiles ? UPLOAD : ''}
${hasFiles ? `${steps.join('')}\n` : ''}response = post("/api/runs", ${literal(body, NOTATION, variables)})
print(response.text)
`;
}

const UPLOAD = `
def upload(path, filename, content_type, media_type):
    """Uploads a file (init, bytes, complete) and returns its media_ref."""
    init = post("/api/media/upload/init", {
        "filename": filename,
        "content_type": content_type,
        "media_type": media_type,
        "size_bytes": os.path.getsize(path),
    }).json()
    url = urljoin(BASE_URL, init["upload_url"])
    if not url.startswith(("http://", "https://")):
        raise SystemExit(f"The service named an upload address that is not used: {url}")
    named = init.get("headers") or init.get("upload_headers") or {}
    headers = requests.structures.CaseInsensitiveDict({"Content-Type": content_type})
    headers.update(named)
    with open(path, "rb") as file:
        sent = requests.request(
            init.get("method") or init.get("upload_method") or "PUT",
            url,
            data=file,
            headers=headers,
            allow_redirects=False,
        )
    sent.raise_for_status()
    upload_id = init.get("upload_id") or init.get("uploadId") or init["id"]
    return post("/api/media/upload/complete", {"upload_id": upload_id}).json()["media_ref"]

`;
