import { describePage } from './describe-page.js'

describePage('docs/howto/operate/publish-by-merge-requests.md')
