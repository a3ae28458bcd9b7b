"""Room `localstack`: the offline stack: AWS APIs on loopback, and the document engine that works behind them."""
