import { describePage } from './describe-page.js'

describePage('README.md')
