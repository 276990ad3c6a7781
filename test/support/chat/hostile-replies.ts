import { type WildReply, wildReply } from './chat-double.js'

/** An answer whose body never ends, slowly. */
export const dripReply: WildReply = response => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '), 20)
  response.on('close', () => clearInterval(timer))
}

/** An answer whose body never ends, as fast as it is read. */
export const floodReply: WildReply = response => {
  response.writeHead(200)
  const more = (): void => {
    if (response.destroyed) return
    if (response.write('a'.repeat(1 << 20))) setImmediate(more)
    else response.once('drain', more)
  }
  more()
}

/** A compressed answer, which no call asks for. */
export const gzipReply: WildReply = wildReply(200, { 'content-encoding': 'gzip' }, Buffer.from([31, 139]))
