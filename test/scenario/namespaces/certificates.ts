import { execFileSync } from 'node:child_process'
import { isIP } from 'node:net'
import { join } from 'node:path'

const openssl = (folder: string, ...args: ReadonlyArray<string>): void => {
  execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
}

const request = [
  'req',
  '-x509',
  '-newkey',
  'ec',
  '-pkeyopt',
  'ec_paramgen_curve:prime256v1',
  '-nodes',
  '-days',
  '2',
]

/** The files of a certificate and of its key. */
export interface Certificate {
  readonly certificate: string
  readonly key: string
}

/** Makes an authority whose key stays in a folder that is thrown away. */
export const makeAuthority = (folder: string): Certificate => {
  openssl(
    folder,
    ...request,
    '-keyout',
    'authority.key',
    '-out',
    'authority.pem',
    '-subj',
    '/CN=Kronika, a test',
  )
  return { certificate: join(folder, 'authority.pem'), key: join(folder, 'authority.key') }
}

/** Makes a certificate of an address or a host name, signed by the authority. */
export const makeCertificate = (folder: string, authority: Certificate, address: string): Certificate => {
  const [key, certificate] = [`${address}.key`, `${address}.pem`]
  const signer = ['-CA', authority.certificate, '-CAkey', authority.key]
  const names = [
    '-subj',
    `/CN=${address}`,
    '-addext',
    `subjectAltName=${isIP(address) === 0 ? 'DNS' : 'IP'}:${address}`,
  ]
  const use = ['-addext', 'basicConstraints=critical,CA:FALSE']
  openssl(folder, ...request, ...signer, '-keyout', key, '-out', certificate, ...names, ...use)
  return { certificate: join(folder, certificate), key: join(folder, key) }
}
