import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

const hexPort = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0')

/** The inode of the socket whose local and remote port are these; null where no process has one. */
const socketInode = (localPort: number, remotePort: number): string | null => {
  const [local, remote] = [`:${hexPort(localPort)}`, `:${hexPort(remotePort)}`]
  for (const line of readFileSync('/proc/net/tcp', 'latin1').split('\n')) {
    const columns = line.trim().split(/\s+/)
    if (columns[1]?.endsWith(local) && columns[2]?.endsWith(remote)) return columns[9] ?? null
  }
  return null
}

const targetOf = (link: string): string => {
  try {
    return readlinkSync(link)
  } catch {
    // The process closed the descriptor meanwhile.
    return ''
  }
}

const hasSocket = (pid: number, inode: string): boolean => {
  const folder = `/proc/${pid}/fd`
  try {
    return readdirSync(folder).some(fd => targetOf(`${folder}/${fd}`) === `socket:[${inode}]`)
  } catch {
    // The process ended meanwhile.
    return false
  }
}

/**
 * The process, among these, that opened a connection of loopback from one port to another; null where none did. All
 * towns have one address for every host, so only the process tells which host calls.
 */
export const findSocketOwner = (
  clientPort: number,
  serverPort: number,
  pids: ReadonlyArray<number>,
): number | null => {
  const inode = socketInode(clientPort, serverPort)
  return inode === null ? null : (pids.find(pid => hasSocket(pid, inode)) ?? null)
}
