import chart from './chart.css?inline'
import controls from './controls.css?inline'
import detail from './detail.css?inline'
import frame from './frame.css?inline'
import lists from './lists.css?inline'
import theme from './theme.css?inline'

/** The panel's whole style as text, for a constructed sheet. Later files may refine earlier ones. */
export const styles = [theme, controls, frame, chart, lists, detail].join('\n')
