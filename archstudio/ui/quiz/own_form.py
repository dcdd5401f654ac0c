"""Fields for a setting of one's own: model, optimiser, loss, budget, seeds, device."""

from __future__ import annotations

from typing import get_args

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from archstudio.app.quiz.own import (
    BETAS,
    MOST_SAMPLES,
    MOST_SEEDS,
    SEEDS,
    CannotTry,
    Model,
    OwnSetting,
    changed,
    first_model,
    loss_ids,
    model_types,
    own_setting,
    with_depth,
)
from archstudio.intuition.candidates.spec import (
    CandidateSpec,
    KanModel,
    LossSpec,
    MlpModel,
    OptimizerSpec,
    TransformerModel,
)
from archstudio.intuition.profile import Activation, BaseActivation, OptimizerType
from archstudio.training.devices import Device
from archstudio.ui.panels.flow import FlowLayout
from archstudio.ui.panels.panel import label, roomy
from archstudio.ui.panels.training_form import RateBox

_MODEL_TITLES = {"mlp": "MLP", "kan": "KAN", "transformer_lm": "Transformer"}
_MOST_DEPTH, _MOST_WIDTH, _MOST_GRID = 12, 2048, 64
_FIELD_PX = 92
_LAMBDA = 0.001


def field(text: str, control: QWidget) -> QWidget:
    """A control under its name."""
    made = QWidget()
    column = QVBoxLayout(made)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(2)
    column.addWidget(label(text, "muted"))
    column.addWidget(control)
    control.setAccessibleName(text)
    control.setMinimumWidth(_FIELD_PX)
    return made


def whole(low: int, high: int, value: int = 1) -> QSpinBox:
    """A field for a whole number."""
    box = roomy(QSpinBox())
    box.setRange(low, high)
    box.setValue(value)
    box.setGroupSeparatorShown(True)
    return box


def choice(names: tuple[str, ...]) -> QComboBox:
    """A list of names."""
    box = QComboBox()
    box.addItems(list(names))
    return box


class ModelForm(QWidget):
    """A type, and the fields of that type. What a type has and no field shows is kept from what was inherited."""

    def __init__(self, base: CandidateSpec) -> None:
        super().__init__()
        self._kept: dict[str, Model] = {}
        self.kind = QComboBox()
        self.kind.setObjectName("model-type")
        for kind in model_types(base):
            self.kind.addItem(_MODEL_TITLES[kind], kind)
        self.mlp_layers, self.neurons = whole(1, _MOST_DEPTH), whole(1, _MOST_WIDTH)
        self.activation, self.residual, self.norm = QComboBox(), QCheckBox(), QCheckBox()
        self.kan_depth, self.kan_width = whole(1, _MOST_DEPTH), whole(1, _MOST_WIDTH)
        self.grid, self.order = whole(1, _MOST_GRID), whole(1, 8)
        self.base_activation = choice(get_args(BaseActivation))
        self.d_model, self.heads = whole(1, _MOST_WIDTH), whole(1, 64)
        self.layers, self.inner = whole(1, _MOST_DEPTH), whole(1, 4 * _MOST_WIDTH)
        self._fields = {
            "mlp": self._named((self.tr("Layers"), self.mlp_layers), (self.tr("Width"), self.neurons),
                               (self.tr("Activation"), self.activation), (self.tr("Residual"), self.residual),
                               (self.tr("Layer norm"), self.norm)),
            "kan": self._named((self.tr("Layers"), self.kan_depth), (self.tr("Width"), self.kan_width),
                               (self.tr("Grid size"), self.grid), (self.tr("Spline order"), self.order),
                               (self.tr("Base activation"), self.base_activation)),
            "transformer_lm": self._named((self.tr("Layers"), self.layers), (self.tr("Model width"), self.d_model),
                                          (self.tr("Heads"), self.heads), (self.tr("Inner width"), self.inner)),
        }  # fmt: skip
        self._type = self._named((self.tr("Model"), self.kind))[0]
        self._line = FlowLayout(spacing=12)
        self.setLayout(self._line)
        self.kind.currentIndexChanged.connect(self._turn)
        self._arrange()

    def _named(self, *fields: tuple[str, QWidget]) -> list[QWidget]:
        made = [field(text, control) for text, control in fields]
        for one in made:
            one.setParent(self)
        return made

    def _arrange(self) -> None:
        """Only the fields of the type shown stand in the line."""
        while self._line.takeAt(0) is not None:
            pass
        kind = self.kind.currentData()
        for name, fields in self._fields.items():
            for one in fields:
                one.setVisible(name == kind)
        for one in (self._type, *self._fields[kind]):
            self._line.addWidget(one)

    def show_model(self, model: Model) -> None:
        """Show a model's values."""
        self._kept = {model.type: model}
        self.kind.setCurrentIndex(max(0, self.kind.findData(model.type)))
        self._fill(model)

    def _turn(self) -> None:
        self._arrange()
        kind = self.kind.currentData()
        if kind not in self._kept and self._kept:
            self._kept[kind] = first_model(kind, next(iter(self._kept.values())))
            self._fill(self._kept[kind])

    def _fill(self, model: Model) -> None:
        if isinstance(model, MlpModel):
            self._fill_mlp(model)
        elif isinstance(model, KanModel):
            for box, value in (
                (self.kan_depth, model.depth), (self.kan_width, model.width), (self.grid, model.grid_size),
                (self.order, model.spline_order),
            ):  # fmt: skip
                box.setValue(value)
            self.base_activation.setCurrentText(model.base_activation)
        else:
            for box, value in (
                (self.d_model, model.width), (self.heads, model.num_heads), (self.layers, model.num_layers),
                (self.inner, model.inner),
            ):  # fmt: skip
                box.setValue(value)

    def _fill_mlp(self, model: MlpModel) -> None:
        self.mlp_layers.setValue(model.depth)
        self.neurons.setValue(model.width)
        self.residual.setChecked(model.residual)
        self.norm.setTristate(len(set(model.layer_norm)) > 1)
        self.activation.clear()
        if len(set(model.activations)) > 1:
            self.activation.addItem(self.tr("as inherited, mixed"), None)
        for name in get_args(Activation):
            self.activation.addItem(name, name)
        if len(set(model.activations)) == 1:
            self.activation.setCurrentText(model.activations[0])
        if len(set(model.layer_norm)) == 1:
            self.norm.setChecked(model.layer_norm[0])
        else:
            self.norm.setCheckState(self.norm.checkState().PartiallyChecked)

    def model(self) -> Model:
        """The model the fields describe; raises `CannotTry`."""
        kept = self._kept[self.kind.currentData()]
        if isinstance(kept, MlpModel):
            return self._mlp(kept)
        if isinstance(kept, KanModel):
            made: Model = changed(
                kept, depth=self.kan_depth.value(), width=self.kan_width.value(), grid_size=self.grid.value(),
                spline_order=self.order.value(), base_activation=self.base_activation.currentText(),
            )  # fmt: skip
            return made
        sizes = {"num_heads": self.heads.value(), "num_layers": self.layers.value()}
        names = ("d_model", "d_ff") if kept.d_model is not None else ("embed_dim", "ff_dim")
        sizes |= dict(zip(names, (self.d_model.value(), self.inner.value()), strict=True))
        changed_transformer: TransformerModel = changed(kept, **sizes)
        return changed_transformer

    def _mlp(self, kept: MlpModel) -> MlpModel:
        depth, chosen = self.mlp_layers.value(), self.activation.currentData()
        activations = with_depth(list(kept.activations), depth) if chosen is None else [chosen] * depth
        partly = self.norm.checkState() == self.norm.checkState().PartiallyChecked
        norms = with_depth(list(kept.layer_norm), depth) if partly else [self.norm.isChecked()] * depth
        made: MlpModel = changed(
            kept, depth=depth, width=self.neurons.value(), residual=self.residual.isChecked(), layer_norm=norms,
            activations=activations,
        )  # fmt: skip
        return made


class RecipeForm(QWidget):
    """Optimiser and loss."""

    def __init__(self, base: CandidateSpec) -> None:
        super().__init__()
        self.kind = choice(get_args(OptimizerType))
        self.lr, self.decay = RateBox(), RateBox()
        self.momentum, self.weight = roomy(QDoubleSpinBox()), RateBox()
        for box, low, high, digits in (
            (self.lr, 1e-7, 10.0, 7),
            (self.decay, 0.0, 1.0, 7),
            (self.weight, 1e-6, 1.0, 6),
        ):
            box.setDecimals(digits)
            box.setRange(low, high)
            roomy(box)
        self.momentum.setRange(0.0, 0.999)
        self.momentum.setSingleStep(0.1)
        self.loss = choice(loss_ids(base))
        line = FlowLayout(spacing=12)
        self._momentum = field(self.tr("Momentum"), self.momentum)
        self._weight = field(self.tr("Lambda"), self.weight)
        parts = (
            field(self.tr("Optimiser"), self.kind), field(self.tr("Learning rate"), self.lr),
            field(self.tr("Weight decay"), self.decay), self._momentum, field(self.tr("Loss"), self.loss), self._weight,
        )  # fmt: skip
        self.setLayout(line)
        for part in parts:
            line.addWidget(part)
        self.kind.currentTextChanged.connect(self._turn)
        self.loss.currentTextChanged.connect(self._turn)

    def show_recipe(self, optimizer: OptimizerSpec, loss: LossSpec) -> None:
        """Show an optimiser's and a loss's values."""
        self.kind.setCurrentText(optimizer.type)
        self.lr.setValue(float(optimizer.lr))
        self.decay.setValue(float(optimizer.weight_decay))
        self.momentum.setValue(float(optimizer.momentum or 0))
        self.loss.setCurrentText(loss.loss_id)
        self.weight.setValue(float(loss.weight or _LAMBDA))
        self._optimizer, self._loss = optimizer, loss
        self._turn()

    def _turn(self) -> None:
        self._momentum.setVisible(self.kind.currentText() == "SGD")
        self._weight.setVisible(self.loss.currentText().endswith(("_l1", "_l2")))

    def optimizer(self) -> OptimizerSpec:
        """The optimiser the fields describe; numbers that were not changed keep their kind. Raises `CannotTry`."""
        kind = self.kind.currentText()
        betas = (self._optimizer.betas or BETAS) if kind in ("Adam", "AdamW") else None
        return OptimizerSpec.model_validate(
            {
                "type": kind,
                "lr": _kept(self._optimizer.lr, self.lr.value()),
                "weight_decay": _kept(self._optimizer.weight_decay, self.decay.value()),
                "momentum": _kept(self._optimizer.momentum, self.momentum.value()) if kind == "SGD" else None,
                "betas": betas,
            }
        )

    def loss_spec(self) -> LossSpec:
        """The loss the fields describe."""
        content: dict[str, object] = {"loss_id": self.loss.currentText()}
        if self._weight.isVisibleTo(self):
            content["lambda"] = _kept(self._loss.weight, self.weight.value())
        return LossSpec.model_validate(content)


def _kept(before: int | float | None, now: float) -> int | float:
    """The number before if it is the same: 0 and 0.0 have different digests."""
    return before if before is not None and before == now else now


class OwnForm(QWidget):
    """All of a setting. `setting` reads it."""

    changed = Signal()

    def __init__(self, base: CandidateSpec) -> None:
        super().__init__()
        self._base = base
        self.model, self.recipe = ModelForm(base), RecipeForm(base)
        self.samples, self.batch = whole(1, MOST_SAMPLES), whole(1, 65_536)
        self.seeds, self.device = whole(1, MOST_SEEDS, SEEDS), QComboBox()
        self.samples.setSingleStep(1024)
        training = QWidget()
        line = FlowLayout(spacing=12)
        training.setLayout(line)
        boxes: tuple[tuple[str, QAbstractSpinBox | QComboBox], ...] = (
            (self.tr("Samples"), self.samples), (self.tr("Batch"), self.batch), (self.tr("Seeds"), self.seeds),
            (self.tr("Device"), self.device),
        )  # fmt: skip
        for text, box in boxes:
            line.addWidget(field(text, box))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for part in (self.model, self.recipe, training):
            column.addWidget(part)
        self.show_devices(("cpu",))
        self.inherit(base)

    def show_devices(self, devices: tuple[str, ...]) -> None:
        """Offer the devices there are."""
        if [self.device.itemData(row) for row in range(self.device.count())] == list(devices):
            return
        chosen = self.device.currentData()
        self.device.clear()
        for name in devices:
            self.device.addItem({"cpu": "CPU", "cuda": "CUDA", "mps": "MPS"}.get(name, name), name)
        self.device.setCurrentIndex(max(0, self.device.findData(chosen)))

    def inherit(self, spec: CandidateSpec) -> None:
        """Take all values of a candidate."""
        self._base = spec
        self.model.show_model(spec.model)
        self.recipe.show_recipe(spec.optimizer, spec.loss)
        self.samples.setValue(spec.budget.total_samples_seen)
        self.batch.setValue(spec.budget.batch_size)

    def setting(self, inherited: str) -> OwnSetting:
        """The setting the fields describe; raises `CannotTry`."""
        device: Device = self.device.currentData()
        try:
            optimizer, loss = self.recipe.optimizer(), self.recipe.loss_spec()
        except ValueError as error:
            raise CannotTry(str(error)) from error
        return own_setting(
            self._base, model=self.model.model(), optimizer=optimizer, loss=loss, samples=self.samples.value(),
            batch_size=self.batch.value(), device=device, inherited=inherited,
        )  # fmt: skip
