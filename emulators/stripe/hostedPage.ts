import type { Context } from 'hono'
import { html } from 'hono/html'

/** The form leads back to the app, perhaps via the bank's page. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'self' http://localhost:* http://127.0.0.1:*",
  "frame-ancestors 'none'",
].join('; ')

export function setPageHeaders(c: Context): void {
  c.header('content-security-policy', POLICY)
  c.header('cache-control', 'no-store')
  c.header('referrer-policy', 'no-referrer')
  c.header('x-content-type-options', 'nosniff')
}

export const getBrowserLanguage = (c: Context): 'fr' | 'en' =>
  /^fr\b/i.test(c.req.header('accept-language') ?? '') ? 'fr' : 'en'

export const renderHostedPage = (language: string, title: string, content: unknown) =>
  html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <link rel="icon" href="data:," />
        <title>${title}</title>
        <link rel="stylesheet" href="/sandbox/stripe/page.css" />
      </head>
      <body>
        <main class="page">${content}</main>
      </body>
    </html>`
