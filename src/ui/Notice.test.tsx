import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { Notice } from './Notice.tsx'

const findRole = (notice: React.ReactNode) => /role="(\w+)"/.exec(renderToStaticMarkup(notice))?.[1]

describe('a notice', () => {
  test.each(['warning', 'error'] as const)('a notice of kind %s is an alert', (kind) => {
    expect(findRole(<Notice kind={kind}>Votre carte n’a pas été débitée.</Notice>)).toBe('alert')
  })

  test.each(['info', 'success'] as const)('a notice of kind %s is an alert only with isCalling', (kind) => {
    expect(findRole(<Notice kind={kind} isCalling />)).toBe('alert')
    expect(findRole(<Notice kind={kind} />)).toBe('status')
  })
})
