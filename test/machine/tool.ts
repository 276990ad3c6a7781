import { spawnSync } from 'node:child_process'

/** Whether a program of the machine is there; says plainly when it is not. */
export const hasTool = (name: string): boolean => {
  const found = spawnSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' }).status === 0
  if (!found) process.stdout.write(`      absent here: ${name}; what it shows is not shown in this run\n`)
  return found
}
