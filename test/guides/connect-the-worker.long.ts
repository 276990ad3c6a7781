import { describePage } from './describe-page.js'

describePage('docs/howto/operate/connect-the-worker.md')
