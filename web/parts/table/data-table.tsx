import { Button, Center, Table, UnstyledButton } from '@mantine/core';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo, useRef, type ReactNode } from 'react';
import { t } from '../../messages/text.js';
import { Choice } from '../choice.js';
import { orderNames, shownDirection, turnedOrder } from './orders.js';
import { useIsPrinting } from './printing.js';
import { Empty } from '../states.js';

export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Amounts stand at the right. */
  readonly isAmount?: boolean;
  /** As the API names the order by this column. */
  readonly sort?: string;
  /** It has this order from its end only, as the newest first. */
  readonly isSortedDownOnly?: boolean;
}

/** In which order the API gives the rows: a name of a column's `sort`, with a minus before it from the other end. */
export interface Order {
  readonly by: string;
  /** @param next the order from the one of now, which may not be drawn yet */
  readonly onOrder: (next: (by: string) => string) => void;
}

interface DataTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly empty: string;
  /** Loads the next page; undefined when all are loaded. */
  readonly more?: (() => void) | undefined;
  readonly isLoadingMore?: boolean;
  readonly order?: Order;
}

const ROW_PX = 49;
/** Only so many rows and those near the window are drawn, except on paper. */
const VIRTUAL_FROM = 100;

/** A list in the order of the API. On a phone each row is a block of its own, with the headers before the values. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, keyOf, empty, more, isLoadingMore, order } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  // Paper does not scroll.
  const isPrinting = useIsPrinting();
  const isVirtual = rows.length > VIRTUAL_FROM && !isPrinting;
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_PX,
    overscan: 8,
    enabled: isVirtual,
    scrollMargin: body.current?.offsetTop ?? 0,
  });
  if (rows.length === 0) {
    return <Empty text={empty} />;
  }
  const drawn = virtualizer.getVirtualItems();
  const shown = isVirtual
    ? drawn.map(({ index }) => ({ index, row: rows[index] as Row }))
    : rows.map((row, index) => ({ index, row }));
  const margin = virtualizer.options.scrollMargin;
  const above = isVirtual ? (drawn[0]?.start ?? margin) - margin : 0;
  const below = isVirtual ? virtualizer.getTotalSize() - ((drawn.at(-1)?.end ?? margin) - margin) : 0;
  return (
    <>
      {order === undefined ? null : <OrderChoice columns={columns} order={order} />}
      <Table className="stacked" aria-label={label} aria-rowcount={rows.length + 1} highlightOnHover>
        <Table.Thead>
          <Table.Tr aria-rowindex={1}>
            {columns.map((column) => (
              <Header key={column.header} column={column} order={order} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody ref={body}>
          <Spacer px={above} />
          {shown.map(({ index, row }) => (
            <Line
              key={keyOf(row)}
              row={row}
              index={index}
              columns={columns as readonly Column<unknown>[]}
              measured={isVirtual ? virtualizer.measureElement : undefined}
            />
          ))}
          <Spacer px={below} />
        </Table.Tbody>
      </Table>
      {more === undefined ? null : (
        <Center mt="md">
          <Button variant="default" onClick={more} loading={isLoadingMore === true}>
            {t('list.more')}
          </Button>
        </Center>
      )}
    </>
  );
}

interface LineProps {
  readonly row: unknown;
  readonly index: number;
  readonly columns: readonly Column<unknown>[];
  readonly measured: ((element: HTMLTableRowElement | null) => void) | undefined;
}

/** Drawn once: while a long list scrolls, only the lines that come in are. */
const Line = memo(function Line({ row, index, columns, measured }: LineProps) {
  return (
    <Table.Tr data-index={index} aria-rowindex={index + 2} ref={measured}>
      {columns.map(({ header, cell, isAmount }) => (
        <Table.Td key={header} data-label={header} className={isAmount === true ? 'amount' : undefined}>
          <div className="value">{cell(row)}</div>
        </Table.Td>
      ))}
    </Table.Tr>
  );
});

interface HeaderProps<Row> {
  readonly column: Column<Row>;
  readonly order: Order | undefined;
}

function Header<Row>({ column, order }: HeaderProps<Row>) {
  const { header, isAmount, sort } = column;
  const className = isAmount === true ? 'amount' : undefined;
  if (sort === undefined || order === undefined) {
    return <Table.Th className={className}>{header}</Table.Th>;
  }
  const { by, onOrder } = order;
  const direction = shownDirection(column, by);
  return (
    <Table.Th className={className} aria-sort={direction}>
      <UnstyledButton
        className="order"
        onClick={() => {
          onOrder((now) => turnedOrder(column, now));
        }}
      >
        {header} {{ ascending: '↑', descending: '↓', none: '↕' }[direction]}
      </UnstyledButton>
    </Table.Th>
  );
}

/** On a phone, where no headers stand. */
function OrderChoice<Row>({ columns, order }: { readonly columns: readonly Column<Row>[]; readonly order: Order }) {
  const names = orderNames(columns);
  return (
    <Choice
      hiddenFrom="sm"
      label={t('list.sort')}
      value={order.by}
      values={[...names.keys()]}
      textOf={(by) => names.get(by) ?? by}
      onChoose={(by) => {
        order.onOrder(() => by);
      }}
    />
  );
}

function Spacer({ px }: { readonly px: number }) {
  return px > 0 ? <tr aria-hidden style={{ height: px }} /> : null;
}
