import type { Change } from '../commit.js'
import { unwrapText } from './unwrap.js'

interface ScannedPage {
  readonly text: string
  /** How sure the reader of the scan was, from 0 to 1. */
  readonly confidence: number
}

interface Scan {
  readonly file: string
  readonly pages: ReadonlyArray<ScannedPage>
}

const page = (confidence: number, text: string): ScannedPage => ({
  text: unwrapText(text),
  confidence,
})

/** Each has a page below the floor of `scrape.pdf_confidence_floor`, whose text is not searched. */
const scans: ReadonlyArray<Scan> = [
  {
    file: 'skany/rejestr-celny',
    pages: [
      page(
        0.94,
        `Rejestr celny komory przy Wielkim Moście. Przywieziono: dwanaście beczek śledzi, cztery bele sukna,
        skrzynię gwoździ. Cło pobrano w soli, gdyż monet brakowało w całym mieście.`,
      ),
      page(
        0.81,
        `Dnia następnego zatrzymano wóz bez właściciela. Pod słomą leżały trzy posągi z alabastru, owinięte
        w żaglowe płótno. Odwieziono je do komory i opieczętowano.`,
      ),
      page(0.22, 'P0s qgi znikn eły w n0cy, str aż nic n1e słysz ała.'),
    ],
  },
  {
    file: 'skany/dziennik-latarnika',
    pages: [
      page(
        0.88,
        `Dziennik latarnika. Pierwszej nocy mgła tak gęsta, że nie widać własnych rąk. Dzwoniłem co kwadrans.
        Odpowiedział róg, którego nie ma na żadnym ze znanych mi statków.`,
      ),
      page(0.31, 'Dr ugiej n0cy r6g o dezw ał s ię bliżej.'),
      page(
        0.9,
        `Ósmej nocy przypłynęła łódź pełna suchych liści. Nie było w niej nikogo, a na burcie ktoś wyrył
        nazwę naszej przystani, zapisaną od końca.`,
      ),
    ],
  },
]

/** A page without text, as of a scanner: the daemon reads only what is in the file beside it. */
const blankPdf = [
  '%PDF-1.4',
  '1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj',
  '2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj',
  '3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 595 842]>> endobj',
  'trailer <</Root 1 0 R>>',
  '%%EOF',
  '',
].join('\n')

export const scanFiles: ReadonlyArray<Change> = scans.flatMap(({ file, pages }) => [
  { path: `${file}.pdf`, text: blankPdf },
  { path: `${file}.pdf.json`, text: `${JSON.stringify({ pages }, null, 2)}\n` },
])
