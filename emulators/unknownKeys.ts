import * as v from 'valibot'

/** Unknown to the strict objects of a schema. */
export const listUnknownKeys = (issues: readonly v.BaseIssue<unknown>[]): readonly string[] =>
  issues.flatMap((issue) => {
    if (issue.issues) return listUnknownKeys(issue.issues)
    const isUnknown = issue.type === 'strict_object' && issue.expected === 'never'
    return (isUnknown && v.getDotPath(issue)) || []
  })
