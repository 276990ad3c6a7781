import { once } from 'node:events'
import { createServer } from 'node:net'

const reasons: ReadonlyMap<unknown, string> = new Map([
  ['EADDRINUSE', 'is taken by another process'],
  ['EACCES', 'needs rights that this user does not have'],
])

/**
 * Why a port cannot be listened on; null when it can. Checked before anything starts, because the front would
 * otherwise be restarted repeatedly while another program has the port.
 */
export const portTrouble = async (host: string, port: number): Promise<string | null> => {
  const probe = createServer()
  try {
    probe.listen({ host, port, exclusive: true })
    await once(probe, 'listening')
    probe.close()
    await once(probe, 'close')
    return null
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return `port ${port} of ${host} ${reasons.get(Reflect.get(error, 'code')) ?? `fails: ${error.message}`}`
  }
}
