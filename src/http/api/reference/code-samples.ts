/** A request to copy for each operation, in curl, TypeScript and Python. */
import type { ApiRoute } from '../../route.ts'
import { EXAMPLE_ETAG, EXAMPLES, exampleId } from './examples.ts'

export interface CodeSample {
  lang: string
  label: string
  source: string
}

const READ_IN_SHELL = `"$(base64 < agreement.pdf | tr -d '\\n')"`

/** JSON is also TypeScript and Python. `file` is the expression that reads the PDF. */
function bodyText(body: unknown, file: string, indent = ''): string {
  const json = JSON.stringify(body, null, 2).replace(/"file": "[^"]*"/, () => `"file": ${file}`)
  return json.replaceAll('\n', `\n${indent}`)
}

interface Sample {
  method: string
  url: string
  body: unknown
  hasFile: boolean
  takesKey: boolean
  /** The `ETag` that the request names, as an example. */
  version: string | undefined
  download: string | undefined
}

function sampleOf(route: ApiRoute, base: string, takesKey: boolean): Sample {
  const { method, path, operationId, success, maxFileBytes, takesIfMatch } = route
  const { body, query: values = {} } = EXAMPLES[operationId] ?? {}
  const query = new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)]))
  const url = base + path.replace(/:(\w+)/g, (_, name) => exampleId(path, name) ?? '') + (query.size > 0 ? `?${query}` : '')
  const downloads: Record<string, string> = {
    'application/pdf': path.startsWith('/templates') ? 'template.pdf' : 'signed.pdf',
    'application/zip': 'evidence.zip',
    'message/rfc822': 'receipt.eml',
    'added file': 'attachment',
  }
  const download = typeof success.schema === 'string' ? downloads[success.schema] : undefined
  const version = takesIfMatch ? EXAMPLE_ETAG : undefined
  return { method, url, body, hasFile: maxFileBytes !== undefined, takesKey, version, download }
}

/** With `--fail-with-body`, a script ends at a refusal, whose body is shown all the same. */
function curl({ method, url, body, hasFile, takesKey, version, download }: Sample): string {
  const parts = [
    method === 'GET' ? `curl --fail-with-body '${url}'` : `curl --fail-with-body -X ${method} '${url}'`,
    '-H "Authorization: Bearer $SIGNET_API_KEY"',
    ...(takesKey ? ['-H "Idempotency-Key: $(openssl rand -hex 16)"'] : []),
    ...(version ? [`-H 'If-Match: ${version}'`] : []),
    ...(download ? [`-o ${download} || (cat ${download}; exit 1)`] : []),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d @- <<${hasFile ? 'JSON' : "'JSON'"}`]),
  ]
  const command = parts.join(' \\\n  ')
  return body === undefined ? command : `${command}\n${bodyText(body, READ_IN_SHELL)}\nJSON`
}

/** For Node.js 20 and later, Deno and Bun. */
function typescript({ method, url, body, hasFile, takesKey, version, download }: Sample): string {
  const imported = [...(hasFile ? ['readFile'] : []), ...(download ? ['writeFile'] : [])]
  const headers = [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the sample contains a template literal
    'authorization: `Bearer ${process.env.SIGNET_API_KEY}`',
    ...(body === undefined ? [] : ["'content-type': 'application/json'"]),
    ...(takesKey ? ["'idempotency-key': crypto.randomUUID()"] : []),
    ...(version ? [`'if-match': '${version}'`] : []),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    `headers: {\n${headers.map(header => `    ${header},\n`).join('')}  }`,
    ...(body === undefined ? [] : [`body: JSON.stringify(${bodyText(body, "await readFile('agreement.pdf', 'base64')", '  ')})`]),
  ]
  return [
    ...(imported.length > 0 ? [`import { ${imported.join(', ')} } from 'node:fs/promises'\n`] : []),
    `const response = await fetch('${url}', {`,
    ...options.map(option => `  ${option},`),
    '})',
    'if (!response.ok) throw new Error(await response.text())',
    download
      ? `await writeFile('${download}', new Uint8Array(await response.arrayBuffer()))`
      : 'console.log(await response.json())',
  ].join('\n')
}

const PYTHON: Record<string, string> = { true: 'True', false: 'False', null: 'None' }

/** JSON is Python but for these words, which are left alone inside strings. */
function toPython(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g, token => PYTHON[token] ?? token)
}

function python({ method, url, body, hasFile, takesKey, version, download }: Sample): string {
  const readFile = 'base64.b64encode(open("agreement.pdf", "rb").read()).decode()'
  const modules = [...(hasFile ? ['base64'] : []), 'os', ...(takesKey ? ['uuid'] : [])]
  const headers = [
    `"Authorization": f"Bearer {os.environ['SIGNET_API_KEY']}"`,
    ...(takesKey ? ['"Idempotency-Key": str(uuid.uuid4())'] : []),
    ...(version ? [`"If-Match": '${version}'`] : []),
  ]
  return [
    ...modules.map(module => `import ${module}`),
    '',
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    "${url}",`,
    `    headers={\n${headers.map(header => `        ${header},\n`).join('')}    },`,
    ...(body === undefined ? [] : [`    json=${toPython(bodyText(body, readFile, '    '))},`]),
    '    timeout=60,',
    ')',
    'if not response.ok:',
    '    raise SystemExit(response.text)',
    download ? `open("${download}", "wb").write(response.content)` : 'print(response.json())',
  ].join('\n')
}

/** `takesKey`: the operation takes an `Idempotency-Key`. */
export function codeSamples(route: ApiRoute, base: string, takesKey: boolean): CodeSample[] {
  const sample = sampleOf(route, base, takesKey)
  return [
    { lang: 'Shell', label: 'curl', source: curl(sample) },
    { lang: 'TypeScript', label: 'TypeScript', source: typescript(sample) },
    { lang: 'Python', label: 'Python', source: python(sample) },
  ]
}
