import { useLingui } from '@lingui/react'
import { Plural, Trans, useLingui as useLinguiMacro } from '@lingui/react/macro'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { DEFAULT_FEE_PERCENT } from '../../../domain/fees.ts'
import { checkAmount } from '../../../domain/limits.ts'
import {
  formatMoney,
  formatMoneyShort,
  type Money,
  money,
  parseAmount,
  type SourceCurrency,
  typedAmount,
} from '../../../domain/money.ts'
import {
  checkCount,
  comparePlans,
  type Habit,
  habitOf,
  type MonthlyCost,
} from '../../../domain/planComparison.ts'
import { PLANS } from '../../../domain/plans.ts'
import type { Tier } from '../../../domain/schemas/profile.ts'
import { amountsOf } from '../../../domain/transaction.ts'
import { serverNow } from '../../browser/serverTime.ts'
import type { UserDatabase } from '../../cache/database.ts'
import { amountText } from '../../ui/amountText.ts'
import { Choice } from '../../ui/Choice.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { useCached } from '../../ui/useCached.ts'
import { useFocusBack } from '../../ui/useFocusBack.ts'
import { useLanguage } from '../../ui/useLanguage.ts'
import classes from './Plans.module.css'
import { PLAN_NAMES } from './planMessages.ts'

/** Shown to somebody who has not sent anything yet. */
const EXAMPLE: Habit = { amount: money(10_000, 'EUR'), count: 2 }

/** How many transfers are read: more than anybody sends in three months. */
const MOST_ROWS = 400

async function readHabit({ transactions }: UserDatabase): Promise<Habit> {
  const rows = await transactions.orderBy('createdAt').reverse().limit(MOST_ROWS).toArray()
  const sent = rows.map((row) => ({ gross: amountsOf(row).gross, createdAt: row.createdAt }))
  return habitOf(sent, serverNow()) ?? EXAMPLE
}

interface Props {
  /** The plan that the person has. */
  readonly own: Tier | null
  /** The plan that is being subscribed to. */
  readonly chosen: Tier | null
  readonly isBusy: boolean
  /** Subscribes to a plan. Null as long as another plan runs. */
  readonly onChoose: ((tier: Tier) => void) | null
}

/** What a month costs without a plan and with each, for what the person sends. */
export function PlanComparison({ uid, ...props }: Props & { uid: string }) {
  const habit = useCached(uid, readHabit)
  return habit ? <Comparison usual={habit} {...props} /> : null
}

const CURRENCIES: readonly SourceCurrency[] = ['EUR', 'CAD']

function Comparison({ usual, own, chosen, isBusy, onChoose }: Props & { usual: Habit }) {
  const { i18n } = useLingui()
  const { t } = useLinguiMacro()
  const language = useLanguage()
  const [currency, setCurrency] = useState(usual.amount.currency)
  const [amount, setAmount] = useState(() => typedAmount(usual.amount, language))
  const [count, setCount] = useState(String(usual.count))
  // When the numbers can't be computed, the last comparison stays in sight beside what is wrong.
  const [compared, setCompared] = useState(usual)

  const parsed = parseAmount(amount, currency)
  const gross = parsed.ok ? checkAmount(parsed.value) : parsed
  const times = checkCount(count, gross.ok ? gross.value : compared.amount)
  if (
    gross.ok &&
    times.ok &&
    (gross.value.minor !== compared.amount.minor ||
      gross.value.currency !== compared.amount.currency ||
      times.value !== compared.count)
  )
    setCompared({ amount: gross.value, count: times.value })

  const { costs, cheapest, saving } = comparePlans(compared)
  const most = times.ok || times.error.kind === 'countRequired' ? null : times.error.most
  const name = cheapest && PLAN_NAMES[cheapest]
  const saved = formatMoney(money(saving, 'EUR'), language)
  return (
    <section className={classes.block} aria-labelledby="compare">
      <h3 id="compare">
        <Trans>Ce que vous paieriez par mois</Trans>
      </h3>
      <div className={classes.habit}>
        <TextInput
          name="habitAmount"
          label={t`Montant par transfert`}
          inputMode="decimal"
          autoComplete="off"
          value={amount}
          onChange={(event) => setAmount(event.currentTarget.value)}
          error={gross.ok ? null : amountText(gross.error, i18n)}
          maxLength={20}
        />
        <Choice
          legend={t`Devise du transfert`}
          name="habitCurrency"
          value={currency}
          options={CURRENCIES.map((value) => ({ value, label: value }))}
          onChange={setCurrency}
        />
        <TextInput
          name="habitCount"
          label={t`Transferts par mois`}
          inputMode="numeric"
          autoComplete="off"
          value={count}
          onChange={(event) => setCount(event.currentTarget.value)}
          error={
            times.ok ? null : most === null ? (
              <Trans>Saisissez un nombre de transferts</Trans>
            ) : (
              <Plural
                value={most}
                _0="Le plafond mensuel ne laisse passer aucun transfert de ce montant"
                one="Le plafond mensuel laisse passer # transfert de ce montant"
                other="Le plafond mensuel laisse passer # transferts de ce montant"
              />
            )
          }
          maxLength={6}
        />
      </div>
      <div role="status">
        {cheapest ? (
          <Notice kind="success" title={<Trans>{name} est le moins cher pour vous</Trans>}>
            <Trans>Vous économisez {saved} par mois, abonnement compris.</Trans>{' '}
            {own !== null && own !== cheapest && (
              <Trans>Pour changer de forfait, résiliez d’abord le vôtre.</Trans>
            )}
          </Notice>
        ) : (
          <Notice kind="info" title={<Trans>Aucun forfait n’est moins cher pour vous</Trans>}>
            <Trans>
              À ce montant et à ce rythme, restez sans forfait : vous ne payez que vos transferts.
            </Trans>
          </Notice>
        )}
      </div>
      <ul className={classes.offers}>
        {costs.map((cost) => (
          <Offer
            key={cost.tier}
            cost={cost}
            amount={compared.amount}
            isCheapest={cost.tier === cheapest}
            isOwn={cost.tier === own}
            isBusy={isBusy}
            isChosen={cost.tier !== null && cost.tier === chosen}
            onChoose={onChoose}
          />
        ))}
      </ul>
    </section>
  )
}

function Offer({
  cost: { tier, price, fees, total },
  amount,
  isCheapest,
  isOwn,
  isBusy,
  isChosen,
  onChoose,
}: {
  cost: MonthlyCost
  amount: Money<SourceCurrency>
  isCheapest: boolean
  isOwn: boolean
  isBusy: boolean
  isChosen: boolean
  onChoose: ((tier: Tier) => void) | null
}) {
  const language = useLanguage()
  const noteFocus = useFocusBack(isBusy)
  const euros = (cents: number) => formatMoney(money(cents, 'EUR'), language)
  const plan = tier && PLANS[tier]
  const name = tier && PLAN_NAMES[tier]
  const monthly = plan && formatMoneyShort(plan.price, language)
  const allowance = plan?.allowance ?? 0
  const fee = plan && formatMoneyShort(money(plan.fee, amount.currency), language)
  return (
    <li className={classes.offer} data-cheapest={isCheapest}>
      <h4>{plan ? <Trans>Forfait {name}</Trans> : <Trans>Sans forfait</Trans>}</h4>
      <p className={classes.mark}>
        {isCheapest && <Trans>Le moins cher pour vous</Trans>}
        {isCheapest && isOwn && tier && ' · '}
        {isOwn && tier && <Trans>Votre forfait</Trans>}
      </p>
      <p className={classes.total}>{euros(total)}</p>
      <p className={classes.quiet}>
        {plan ? (
          <Trans>
            par mois : {euros(price)} d’abonnement et {euros(fees)} de frais
          </Trans>
        ) : (
          <Trans>par mois : {euros(fees)} de frais</Trans>
        )}
      </p>
      <ul className={classes.features}>
        {plan ? (
          <>
            <li>
              <Trans>{monthly} par mois, sans engagement</Trans>
            </li>
            <li>
              {plan.fee === 0 ? (
                <Plural
                  value={allowance}
                  one="# transfert par mois sans frais"
                  other="# transferts par mois sans frais"
                />
              ) : (
                <Plural
                  value={allowance}
                  one={`# transfert par mois à ${fee} de frais`}
                  other={`# transferts par mois à ${fee} de frais chacun`}
                />
              )}
            </li>
            <li>
              <Trans>Au-delà : {DEFAULT_FEE_PERCENT} % de frais</Trans>
            </li>
          </>
        ) : (
          <li>
            <Trans>{DEFAULT_FEE_PERCENT} % de frais par transfert</Trans>
          </li>
        )}
      </ul>
      {tier && onChoose && (
        <Button
          variant={isCheapest ? 'filled' : 'default'}
          loading={isBusy && isChosen}
          disabled={isBusy && !isChosen}
          onClick={() => {
            noteFocus()
            onChoose(tier)
          }}
        >
          <Trans>S’abonner à {name}</Trans>
        </Button>
      )}
    </li>
  )
}
