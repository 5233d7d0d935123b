import { Module } from '@nestjs/common';
import { ReceiptDownloader } from './receipt-downloader.js';
import { ReceiptRepository } from './receipt.repository.js';
import { ReceiptsService } from './receipts.service.js';
import { StoreReceipt } from './store-receipt.js';
import { StoreItemReceipts } from './store-item-receipts.js';

@Module({
  providers: [ReceiptDownloader, StoreReceipt, StoreItemReceipts, ReceiptRepository, ReceiptsService],
  exports: [ReceiptsService],
})
export class ReceiptsModule {}
