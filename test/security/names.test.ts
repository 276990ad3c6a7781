import { deepEqual, equal } from 'node:assert/strict'
import { isRefused, longHeading, type SecurityRow, securityTable } from './row.js'

const notFoundRow = (id: string, input: string, segment: string, error = 'EntityNotFound'): SecurityRow => ({
  id,
  input,
  answer: `404 ${error}`,
  see: async ({ client }) => isRefused(await client.ask(`/entities/${segment}`), 404, error),
})

const hitRow = (id: string, input: string, segment: string, name: string): SecurityRow => ({
  id,
  input,
  answer: `200 ${name}`,
  see: async ({ client }) => {
    const reply = await client.ask(`/entities/${segment}`)
    deepEqual([reply.status, reply.json], [200, { Name: name }])
  },
})

const corpus = 'read by the corpus; tested with its adapters'
const links = 'seen through the whole node: test/process/session-writes.test.ts'

securityTable(
  '4.8 names and paths',
  [
    notFoundRow('4.8.1', '../', '../../../../etc/passwd', 'RouteNotFound'),
    notFoundRow('4.8.2', '..%2f', '..%2f..%2f..%2fetc%2fpasswd'),
    notFoundRow('4.8.3', '%2e%2e', '%2e%2e'),
    notFoundRow('4.8.4', '..%5c', '..%5c..%5cetc'),
    notFoundRow('4.8.5', 'encoded twice', '%252e%252e%252fetc'),
    notFoundRow('4.8.6', '%00', 'Kupiec%20Orrin%00', 'RouteNotFound'),
    notFoundRow('4.8.7', 'an absolute path', '%2Fetc%2Fpasswd'),
    notFoundRow('4.8.8', '~', '~'),
    notFoundRow('4.8.9', 'CON', 'CON'),
    notFoundRow('4.8.10', 'a trailing dot', 'Kupiec%20Orrin.'),
    hitRow('4.8.11', 'a trailing blank', 'Kupiec%20Orrin%20', 'Kupiec Orrin'),
    hitRow('4.8.12', 'NFD for NFC', encodeURIComponent('Żółw Błotny'.normalize('NFD')), 'Żółw Błotny'),
    hitRow('4.8.13', 'a right-to-left mark, which does not show', 'Kupiec%E2%80%8F%20Orrin', 'Kupiec Orrin'),
    notFoundRow('4.8.13a', 'a right-to-left mark in an unknown name', 'Kupiec%E2%80%8F%20Nikt'),
    notFoundRow('4.8.14', 'a name of 4 KB', 'a'.repeat(4096)),
    notFoundRow('4.8.15', '.git/config', '.git%2Fconfig'),
    notFoundRow('4.8.16', '-rf', '-rf'),
    notFoundRow('4.8.17', 'a line feed in a name', 'Orrin%0A%23%23%23%20Injected', 'RouteNotFound'),
    hitRow('4.8.18', 'comma, ampersand, slash', 'A%2C%20B%20%26%20C%2FD', 'A, B & C/D'),
    hitRow('4.8.18a', 'a header of 300 characters', encodeURIComponent(longHeading), longHeading),
    {
      id: '4.8.19',
      input: 'a malformed escape in the path',
      answer: '400 RequestMalformed (D25); 401 for who is nobody',
      see: async ({ client }) => {
        isRefused(await client.ask('/entities/%zz'), 400, 'RequestMalformed')
        isRefused(await client.ask('/entities/%zz', { token: null }), 401, 'Unauthorized')
      },
    },
    {
      id: '4.8.20',
      input: 'a name that no header may repeat',
      answer: 'the answer has one ETag and no injected header',
      see: async ({ client }) => {
        const reply = await client.ask('/entities/Kupiec%20Orrin%20%20?x=%0d%0aX-Injected:1')
        equal(reply.headers['x-injected'], undefined)
      },
    },
  ],
  [
    { id: '4.8.21', input: 'a symlink that leaves the repository', reason: links },
    { id: '4.8.24', input: 'branch and town names, GIT_*, hooks, submodules, credentials', reason: corpus },
  ],
)
