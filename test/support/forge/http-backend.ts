import { spawn } from 'node:child_process'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { basename, dirname } from 'node:path'
import { testGitEnvironment } from '../repository.js'

const headerOf = ({ headers }: IncomingMessage, name: string): string => {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

const environmentOf = (repository: string, pathInfo: string, request: IncomingMessage) => ({
  ...testGitEnvironment,
  GIT_PROJECT_ROOT: dirname(repository),
  GIT_HTTP_EXPORT_ALL: '1',
  PATH_INFO: `/${basename(repository)}${pathInfo}`,
  QUERY_STRING: (request.url ?? '').split('?')[1] ?? '',
  REQUEST_METHOD: request.method ?? 'GET',
  CONTENT_TYPE: headerOf(request, 'content-type'),
  CONTENT_LENGTH: headerOf(request, 'content-length'),
  HTTP_CONTENT_ENCODING: headerOf(request, 'content-encoding'),
  HTTP_GIT_PROTOCOL: headerOf(request, 'git-protocol'),
  GIT_PROTOCOL: headerOf(request, 'git-protocol'),
  REMOTE_USER: 'double',
  REMOTE_ADDR: '127.0.0.1',
})

/** Splits the output of a CGI program at its blank line. */
const splitOutput = (output: Buffer): { readonly head: string; readonly body: Buffer } => {
  const at = output.indexOf('\r\n\r\n')
  return { head: output.subarray(0, at).toString('latin1'), body: output.subarray(at + 4) }
}

const writeOutput = (response: ServerResponse, output: Buffer): void => {
  const { head, body } = splitOutput(output)
  const fields = head.split('\r\n').map(line => line.split(/: (.*)/s))
  const status = fields.find(([name]) => name?.toLowerCase() === 'status')?.[1]
  response.statusCode = Number.parseInt(status ?? '200', 10)
  for (const [name = '', value = ''] of fields)
    if (name.toLowerCase() !== 'status') response.setHeader(name, value)
  response.end(body)
}

/**
 * Serves one request of git's smart HTTP by `git http-backend`. With `isLost` git does its work and the answer is
 * never sent. Resolves when git has ended.
 */
export const serveGit = (
  repository: string,
  pathInfo: string,
  request: IncomingMessage,
  response: ServerResponse,
  isLost: boolean,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn('git', ['http-backend'], { env: environmentOf(repository, pathInfo, request) })
    const chunks: Array<Buffer> = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.resume()
    // git stops reading a body that it refuses.
    child.stdin.on('error', () => undefined)
    request.pipe(child.stdin)
    child.on('error', reject)
    child.on('close', () => {
      if (!isLost && !response.destroyed) writeOutput(response, Buffer.concat(chunks))
      resolve()
    })
  })
