import { createIcon } from './createIcon.tsx'

export const SendIcon = /* @__PURE__ */ createIcon('M4 19h16M6 19c.8-7 3.4-11 8-11h5m-4-4 4 4-4 4')
export const InvoiceIcon = /* @__PURE__ */ createIcon('M6 3.5h12v17l-3-2-3 2-3-2-3 2zM9.5 8.5h5M9.5 12.5h5')
export const WalletPageIcon = /* @__PURE__ */ createIcon(
  'M4 7.5A2.5 2.5 0 0 1 6.5 5H17v3M4 7.5V17a2 2 0 0 0 2 2h12.5a1.5 1.5 0 0 0 1.5-1.5v-8A1.5 1.5 0 0 0 18.5 8H5M16 13.5h.5',
)
export const ActivityIcon = /* @__PURE__ */ createIcon('M12 7.5V12l3 2M20 12a8 8 0 1 1-2.5-5.8M18 3v3.5h-3.5')
export const MenuIcon = /* @__PURE__ */ createIcon('M4 7h16M4 12h16M4 17h16')
export const CouponIcon = /* @__PURE__ */ createIcon('M4 11V4.5h6.5L20 14l-6 6zM8 8.3v.1')
export const IdentityIcon = /* @__PURE__ */ createIcon(
  'M3.5 5.5h17v13h-17zM9 12.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM6 16c.5-1.5 1.5-2.2 3-2.2s2.5.7 3 2.2M14.5 10h3.5M14.5 13.5h3.5',
)
export const SettingsIcon = /* @__PURE__ */ createIcon(
  'M5 7h6m6 0h2M5 17h2m6 0h6M14 9.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4zM10 19.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4z',
)
export const HelpIcon = /* @__PURE__ */ createIcon(
  'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9.7 9.5c.2-1.5 1.2-2.2 2.4-2.2 1.3 0 2.3.8 2.3 2 0 1.8-2.4 1.9-2.4 3.9M12 16.5v.1',
)
export const SignOutIcon = /* @__PURE__ */ createIcon('M10 4H5v16h5M10 12h10m-4-4 4 4-4 4')
