import { chatDouble } from './chat-double.js'

/**
 * `npm run chat-double`: a double of the chat platform, whose guild has the channel `solmyr-kanał` in the category
 * `sesje`. Prints one line of JSON when it listens, then one for each request, without the token, and ends at SIGTERM
 * or SIGINT.
 */
const say = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`)

const double = await chatDouble({ onRequest: ({ method, path, body }) => say({ method, path, body }) })
say({ apiUrl: double.url, pid: process.pid })
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => void double.close().then(() => process.exit(0)))
