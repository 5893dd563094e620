/** Requests kept in memory. Older ones are dropped and the panel says how many. */
export const keptRequests = 5_000

/** Fold records kept in memory. */
export const keptFolds = 5_000

/** Warnings and failures kept in memory. */
export const keptProblems = 50

/** Pages of message previews kept in memory; what was forgotten is asked for again. */
export const keptPages = 50

/** Events held back while a snapshot is being taken or a flush is due. */
export const heldEvents = 2_000

/** Requests in the chart's default window. */
export const chartWindow = 120

/** Columns that the chart draws, however many requests its window holds. */
export const chartColumns = 480

/** Message previews asked for in one command. */
export const entriesPerPage = 100

/** Pages of message previews asked for at the same time. */
export const pagesAtOnce = 2

/** Code points of a result that "Read" and "Read on" show in one piece. */
export const readStep = 4_000

/** Code points that one read may ask for. */
export const readMost = 16_000

/** Calls of a fold that its detail lists. */
export const shownCalls = 50

/** Record indexes that a sentence spells out. */
export const shownRanges = 6

/** Rows that a virtual list renders beyond each edge. */
export const overscanRows = 8

/** Milliseconds between two updates of the panel while events stream in. */
export const flushEveryMs = 200

/** Milliseconds between two questions for the next request's size. */
export const previewEveryMs = 400

/** Milliseconds between two refreshes of the message previews on screen. */
export const entriesEveryMs = 600

/** Milliseconds after which an unanswered command counts as failed. */
export const commandTimeoutMs = 20_000
