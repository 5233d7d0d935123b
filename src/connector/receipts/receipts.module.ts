import { Module } from '@nestjs/common';
import { MissingReceipts } from './missing-receipts.js';
import { ReceiptDownloader } from './receipt-downloader.js';
import { ReceiptRepository } from './receipt.repository.js';
import { StoreReceipt } from './store-receipt.js';
import { StoreItemReceipts } from './store-item-receipts.js';

@Module({
  providers: [ReceiptDownloader, StoreReceipt, StoreItemReceipts, ReceiptRepository, MissingReceipts],
  exports: [StoreItemReceipts, MissingReceipts],
})
export class ReceiptsModule {}
