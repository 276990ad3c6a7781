import { readdir, readFile, readlink } from 'node:fs/promises'

/** The ports of a connection of loopback, at the side that opened it. */
export interface ConnectionPorts {
  readonly clientPort: number
  readonly serverPort: number
}

const portAt = (address: string): number => Number.parseInt(address.split(':')[1] ?? '', 16)

const portsKey = ({ clientPort, serverPort }: ConnectionPorts): string => `${clientPort} ${serverPort}`

/** Reads the inode of each socket by its local and its remote port. */
const readInodes = async (): Promise<ReadonlyMap<string, string>> => {
  const [, ...lines] = (await readFile('/proc/net/tcp', 'latin1')).trim().split('\n')
  return new Map(
    lines.map(line => {
      const [, local = '', remote = '', , , , , , , inode = ''] = line.trim().split(/\s+/)
      return [portsKey({ clientPort: portAt(local), serverPort: portAt(remote) }), inode]
    }),
  )
}

/** Reads what the descriptors of a process are; a descriptor that closes meanwhile is left out. */
const readDescriptors = async (pid: number): Promise<ReadonlyArray<string>> => {
  const folder = `/proc/${pid}/fd`
  // A process that ended meanwhile has no folder.
  const descriptors = await readdir(folder).catch((): Array<string> => [])
  return Promise.all(descriptors.map(fd => readlink(`${folder}/${fd}`).catch(() => '')))
}

interface SocketTable {
  readonly inodes: ReadonlyMap<string, string>
  readonly owners: ReadonlyMap<string, number>
}

const readTable = async (pids: ReadonlyArray<number>): Promise<SocketTable> => {
  // The sockets first: the client of a connection that was accepted has its descriptor already.
  const inodes = await readInodes()
  const all = await Promise.all(
    pids.map(async pid => (await readDescriptors(pid)).map(link => [link, pid] as const)),
  )
  return { inodes, owners: new Map(all.flat()) }
}

const ownerIn = ({ inodes, owners }: SocketTable, ports: ConnectionPorts): number | null => {
  const inode = inodes.get(portsKey(ports))
  return inode === undefined ? null : (owners.get(`socket:[${inode}]`) ?? null)
}

/** Finds the process that opened a connection; null where none of the processes did. */
export type SocketOwners = (ports: ConnectionPorts) => Promise<number | null>

/**
 * Opens a search for the process, among these, that opened a connection of loopback. All towns have one address for every
 * host, so only the process tells which host calls. One read of the tables of the system is under way at a time, and the
 * next one serves every connection that came meanwhile.
 */
export const openSocketOwners = (pids: () => ReadonlyArray<number>): SocketOwners => {
  let running: Promise<unknown> = Promise.resolve()
  let waiting: Promise<SocketTable> | null = null
  const nextTable = (): Promise<SocketTable> => {
    if (waiting !== null) return waiting
    const next = running.then(() => {
      waiting = null
      return readTable(pids())
    })
    running = next.catch(() => undefined)
    waiting = next
    return next
  }
  return async ports =>
    // The system leaves sockets out of its table while others come and go, so a miss is looked up again.
    ownerIn(await nextTable(), ports) ?? ownerIn(await nextTable(), ports)
}
