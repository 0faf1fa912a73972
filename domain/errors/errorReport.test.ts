import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stripMessage } from './errorReport.ts'

describe('a stripped message', () => {
  test.each([
    ["TypeError: Cannot read properties of undefined (reading 'amount')", null],
    ["NotFoundError: Failed to execute 'removeChild' on 'Node': The node to be removed is not a child", null],
    [
      'Minified React error #418; visit https://react.dev/errors/418?args[]=Awa',
      'Minified React error * visit *',
    ],
    ['no account of awa@example.org', 'no account of *'],
    ['Error: "Mariama Bah" was not found', 'Error: "*" was not found'],
    [
      `SyntaxError: Unexpected token 'm', "mariama bah" is not valid JSON`,
      `SyntaxError: Unexpected token 'm', "*" is not valid JSON`,
    ],
    ['Aïssatou has +224 620 00 00 00 and 50,00 €', '* has * and *'],
    [
      'Failed to fetch dynamically imported module: /t/pi_1.x?token=secret',
      'Failed to fetch dynamically imported module: *',
    ],
  ])('stripping the message %j keeps the words that identify the error', (message, stripped) => {
    expect(stripMessage(message)).toBe(stripped ?? message)
  })

  const around = fc.constantFrom('', ' ', '"', "'", '(', ')', ', ', ': ', '<')
  const personal = fc.oneof(
    fc.emailAddress(),
    fc.webUrl({ withQueryParameters: true }),
    fc.integer({ min: 0 }).map(String),
    fc.constantFrom(
      'Mariama',
      'Élodie',
      'McDonald',
      'DuPont',
      'Bah-Diallo',
      '李雷',
      "O'Brien",
      '?session_id=cs_test',
      '"mariama bah"',
    ),
  )

  test('a stripped message contains no number, address, query string or name', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(around, personal, around), { minLength: 1 }), (parts) => {
        const stripped = stripMessage(`Error: cannot use ${parts.flat().join('')} of it`)
        expect(stripped).not.toMatch(/[\d@/?=&]|[^\x20-\x7e]/)
        for (const name of ['Mariama', 'mariama', 'McDonald', 'DuPont', 'Diallo', 'Brien', 'session'])
          expect(stripped).not.toContain(name)
      }),
    )
  })

  test('a stripped message has at most 200 characters, and stripping it again changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 3000 }), (message) => {
        const stripped = stripMessage(message)
        expect(stripped.length).toBeLessThanOrEqual(200)
        expect(stripMessage(stripped)).toBe(stripped)
      }),
    )
  })
})
